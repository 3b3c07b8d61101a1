import { longMs } from './ask.js'
import { accepts, expectErrorBody, holds, refuses } from './cases.js'
import { configure, ready, update, upgradeConfig } from './requests.js'
import type { Section } from './sentence.js'

const noCluster = 'there is no cluster behind the emulator'

export const purposes: Section = {
  section: '1',
  title: 'what the service does',
  sentences: [
    {
      says: 'an export goes to the location that the caller names',
      notShown: 'shown in section 2.1; no file is written: the emulator touches no disk',
    },
    {
      says: 'it holds the content directory and a snapshot of the database',
      notShown: 'the emulator keeps no items, users or groups',
    },
    {
      says: 'deleting webhooks deletes all webhooks of one geoprocessing or feature service',
      notShown: 'shown in section 4.2',
    },
    {
      says: 'a separate operation deactivates them temporarily',
      notShown: 'the document shows neither its path nor its parameters',
    },
    {
      says: 'configure is the first operation after an installation',
      shown: [
        ['it works on a new service', accepts(configure())],
        [
          'it is rejected while it is in progress',
          refuses(configure(), { before: [configure()], passedMs: 1 }),
        ],
        ['it is rejected when it is complete', refuses(configure(), ready)],
        ['it is rejected for good', refuses(configure(), { ...ready, passedMs: 1000 * longMs })],
        [
          'a rejected one does not count',
          holds({}, async ({ ask }) => {
            expectErrorBody(await ask(configure({ username: 'abc' })))
            expect((await ask(configure())).body).toHaveProperty('status.state', 'in_progress')
          }),
        ],
        [
          'of several at the same time one is accepted',
          holds({}, async ({ ask }) => {
            const all = await Promise.all(Array.from({ length: 6 }, () => ask(configure())))
            expect(all.filter(({ text }) => !text.includes('"error"'))).toHaveLength(1)
          }),
        ],
      ],
    },
    {
      says: 'it downloads images, deploys containers and creates an organization',
      notShown: noCluster,
    },
    { says: 'it can take a long time', notShown: 'shown in section 4.3' },
    {
      says: 'afterwards services are published and the organization is administered',
      notShown: 'those operations are not in the document',
    },
    {
      says: 'the upgrade policy is set or changed',
      shown: [
        ['set', accepts(update(), ready)],
        [
          'changed',
          accepts(update({ upgradeConfig: upgradeConfig({}, [{ key: 'a', operator: 'Exists' }]) }), {
            before: [configure()],
            passedMs: longMs,
          }),
        ],
        [
          'any number of times',
          holds(ready, async ({ ask }) => {
            for (const operator of ['Exists', 'Equal', 'Exists']) {
              const asked = update({ upgradeConfig: upgradeConfig({}, [{ key: 'a', operator }]) })
              expect((await ask(asked)).body).toEqual({ status: 'success' })
            }
          }),
        ],
      ],
    },
    {
      says: 'it is applied to each upgrade job from then on',
      notShown: 'there are no upgrade jobs: no operation in the document makes one',
    },
    {
      says: 'other operations exist and are not shown',
      shown: [
        [
          'none is invented: the child resources do not exist',
          holds(ready, async ({ ask }) => {
            for (const name of ['orgs', 'logs', 'system', 'datastores', 'uploads', 'services'])
              expect((await ask({ path: `/${name}`, method: 'GET' })).httpStatus).toBe(404)
          }),
        ],
      ],
    },
  ],
}

import type { Given } from './ask.js'
import { answers, holds } from './cases.js'
import { exportSite } from './requests.js'
import type { Section } from './sentence.js'

const missing: Given = { missingItems: true }
const warned = {
  status: 'success with warning',
  location: expect.stringMatching(/\.portalsite$/),
  messages: expect.anything(),
}

export const exportResult: Section = {
  section: '2.1',
  title: 'export result',
  sentences: [
    { says: 'status is one of two texts', notShown: 'shown with exportSite, in section 4.1' },
    {
      says: 'location is the path of the file, with a stamp and .portalsite; absent when only validated',
      shown: [
        ...['/backups', '/backups/', '/a b/ü', '\\\\files\\gis'].map(
          location =>
            [
              `below ${location}, with date and time`,
              holds({}, async ({ ask }) => {
                const { body } = await ask(exportSite({ location }))
                const file = (body as { location: string }).location
                expect(file.startsWith(location)).toBe(true)
                const name = file.slice(location.length)
                expect(name).toMatch(/\.portalsite$/)
                expect(name.replaceAll(/\D/g, '')).toBe('20260304050607')
                expect(file).not.toMatch(/\/\//)
              }),
            ] as const,
        ),
        [
          'a second later it is another file',
          holds({}, async ({ ask, wait }) => {
            const first = await ask(exportSite())
            wait(1000)
            expect((await ask(exportSite())).text).not.toBe(first.text)
          }),
        ],
        ['absent when only validated', answers(exportSite({ validate: 'true' }), { status: 'success' })],
        [
          'present otherwise',
          answers(
            exportSite({ validate: 'false' }),
            expect.objectContaining({ location: expect.any(String) }),
          ),
        ],
      ],
    },
    {
      says: 'messages are present only with a warning, and explain it',
      shown: [
        [
          'with a warning',
          answers(
            exportSite(),
            { ...warned, messages: [expect.stringMatching(/content directory/)] },
            missing,
          ),
        ],
        ['not without one', answers(exportSite(), { status: 'success', location: expect.any(String) })],
      ],
    },
    {
      says: 'the warning, from 10.8, means that items are in the database but not in the content directory',
      notShown: 'shown with exportSite, in section 4.1',
    },
    {
      says: 'with the warning there is an export nevertheless',
      notShown: 'shown with exportSite, in section 4.1',
    },
  ],
}

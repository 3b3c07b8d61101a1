import { accepts, answers, expectErrorBody, holds, isAbsent, isUnknown } from './cases.js'
import { configure, deleteAll, exportSite, lookAtRoot, ready, update } from './requests.js'
import type { Case, Section } from './sentence.js'

/** Absent or unknown in the version before, there from its own on, and in those between and after. */
const from = (first: string, later: (version: Version) => Case[1], before: Case): readonly Case[] => [
  before,
  ...[...new Set([first, '11.2', '11.2.1', '11.5', '12.0'] as Version[])].map(
    (version): Case => [`at ${version} it is there`, later(version)],
  ),
]
type Version = `${number}.${number}`

const missing = { missingItems: true }
const warning = expect.objectContaining({ status: 'success with warning' })

export const versions: Section = {
  section: '9',
  title: 'versioning',
  sentences: [
    {
      says: 'exportSite is from 10.4',
      shown: from('10.4', version => accepts(exportSite(), { version }), [
        'at 10.3 it is absent',
        isAbsent(exportSite(), { version: '10.3' }),
      ]),
    },
    {
      says: 'validate is from 11.1',
      shown: from(
        '11.1',
        version => answers(exportSite({ validate: 'true' }), { status: 'success' }, { version }),
        [
          'at 11.0 it is unknown',
          isUnknown('validate', name => exportSite({ [name]: 'true' }), { version: '11.0' }),
        ],
      ),
    },
    {
      says: 'the warning is from 10.8',
      shown: from('10.8', version => answers(exportSite(), warning, { ...missing, version }), [
        'at 10.7 there is none',
        answers(exportSite(), expect.objectContaining({ status: 'success' }), {
          ...missing,
          version: '10.7',
        }),
      ]),
    },
    {
      says: 'configure is from 10.9',
      shown: from('10.9', version => accepts(configure(), { version }), [
        'at 10.8 it is absent',
        isAbsent(configure(), { version: '10.8' }),
      ]),
    },
    {
      says: 'userManagedStores is from 10.9.1',
      shown: from('10.9.1', version => accepts(configure({ userManagedStores: '[]' }), { version }), [
        'at 10.9 it is unknown',
        isUnknown('userManagedStores', name => configure({ [name]: '[]' }), { version: '10.9' }),
      ]),
    },
    {
      says: 'cloudConfig is from 11.2',
      shown: from('11.2', version => accepts(configure({ cloudConfig: '[]' }), { version }), [
        'at 11.1 it is unknown',
        isUnknown('cloudConfig', name => configure({ [name]: '[]' }), { version: '11.1' }),
      ]),
    },
    {
      says: 'deleteAll is from 11.1',
      shown: from('11.1', version => accepts(deleteAll(), { version }), [
        'at 11.0 it is absent',
        isAbsent(deleteAll(), { version: '11.0' }),
      ]),
    },
    {
      says: 'update is from 11.2',
      shown: from('11.2', version => accepts(update(), { ...ready, version }), [
        'at 11.1 it is absent',
        isAbsent(update(), { ...ready, version: '11.1' }),
      ]),
    },
    {
      says: 'the root resource tells the version in two fields',
      shown: (
        [
          ['10.9', '10.9.0', 10.9],
          ['10.9.1', '10.9.1', 10.9],
          ['11.0', '11.0.0', 11],
          ['11.1', '11.1.0', 11.1],
          ['11.2', '11.2.0', 11.2],
          ['12.0', '12.0.0', 12],
        ] as const
      ).map(
        ([version, fullVersion, currentVersion]): Case => [
          `${version} as ${fullVersion} and ${currentVersion}`,
          answers(lookAtRoot, expect.objectContaining({ fullVersion, currentVersion }), { version }),
        ],
      ),
    },
    {
      says: 'how versions are compatible',
      shown: [
        [
          'a version between two has what the one before it has',
          holds({ version: '10.5' }, async ({ ask }) => {
            expect((await ask(exportSite())).body).toHaveProperty('status', 'success')
            expectErrorBody(await ask(exportSite({ validate: 'true' })))
            expectErrorBody(await ask(configure()))
          }),
        ],
      ],
      notShown: 'the document does not tell; here what a version has, later ones have too',
    },
  ],
}

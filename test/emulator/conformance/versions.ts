import { accepts, answers, expectErrorBody, holds } from './cases.js'
import { configure, exportSite, lookAtRoot, operations } from './requests.js'
import type { Case, Section, Sentence } from './sentence.js'

const since = (says: string, section: string): Sentence => ({
  says,
  notShown: `shown with what it introduces, in section ${section}`,
})

const later = ['11.2.1', '11.5', '12.0'] as const

export const versions: Section = {
  section: '9',
  title: 'versioning',
  sentences: [
    since('exportSite is from 10.4', '4.1'),
    since('validate is from 11.1', '4.1'),
    since('the warning is from 10.8', '2.1'),
    since('configure is from 10.9', '4.3'),
    since('userManagedStores is from 10.9.1', '4.3'),
    since('cloudConfig is from 11.2', '4.3'),
    since('deleteAll is from 11.1', '4.2'),
    since('update is from 11.2', '4.4'),
    {
      says: 'the root resource reports the version in two fields',
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
      says: 'the compatibility of versions',
      shown: [
        [
          'a version between two documented ones has what the earlier one has',
          holds({ version: '10.5' }, async ({ ask }) => {
            expect((await ask(exportSite())).body).toHaveProperty('status', 'success')
            expectErrorBody(await ask(exportSite({ validate: 'true' })))
            expectErrorBody(await ask(configure()))
          }),
        ],
        ...operations.flatMap(([name, request, given]) =>
          later.map(
            (version): Case => [`${name} is there at ${version}`, accepts(request(), { ...given, version })],
          ),
        ),
      ],
      notShown: 'the document does not tell; here what a version has, later ones have too',
    },
  ],
}

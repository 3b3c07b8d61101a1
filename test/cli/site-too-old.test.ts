import { answeringSite, json } from '../support/answering-site.js'
import { exampleCopy } from '../support/example-copy.js'
import { landform } from '../support/landform.js'
import { readyRoot } from '../support/site-of-settings.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const tooOld = 'the site is older than the manifest requires'

test.each([
  ['10.8.1', 'minimal-10.9', '`configure` requires service version 10.9, but the site reports 10.8.1'],
  ['11.1.0', 'cloud-iam-role', '`cloudStorage` requires service version 11.2'],
  ['10.9.0', 'data-stores-10.9.1', '`dataStores` requires service version 10.9.1'],
])('a site of version %s is sent nothing of %s, and commands end with 6', async (version, file, words) => {
  const root = { ...readyRoot, fullVersion: version, status: { state: 'not_configured' } }
  const site = await answeringSite(json({}, 500), json(root))
  const options = ['--url', site.url]
  const manifest = await exampleCopy(file)
  for (const command of [['plan'], ['apply', '--yes']]) {
    const { exitCode, err } = await landform([...command, manifest, ...options], {
      environment: { ...someSecrets },
    })
    expect([exitCode, err]).toEqual([6, expect.stringContaining(words)])
    expect(err).toContain(tooOld)
  }
  expect(site.posts()).toEqual([])
})

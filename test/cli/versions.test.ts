import { run } from '../../src/cli/run.js'
import { exampleCopy } from '../support/example-copy.js'
import { fakeHost } from '../support/fake-host.js'
import { answeringSite, json } from '../support/http-double.js'
import { landform } from '../support/landform.js'
import { readyRoot } from '../support/site-of-settings.js'
import { someSecrets } from '../support/some-secrets.js'

/** Declares 11.2, and has a field from that version on. */
const manifest = 'examples/placement-policy.yaml'

const check = async (versions: string, ...options: readonly string[]) => {
  const host = fakeHost()
  const exitCode = await run(['validate', manifest, '--service-version', versions, ...options], host)
  return { exitCode, out: host.out() }
}

test('the check for a version newer than the known ones warns', async () => {
  expect((await check('13.0')).out).toMatch(/^13\.0: .*version\/newer$/m)
  expect((await check('12.0')).out).toMatch(/^12\.0: .*note .*version\/reported$/m)
})

test('a diagnostic of the check is not repeated for a version', async () => {
  const input = 'apiVersion: landform.dev/v1\nkind: SiteDeployment\nmetadata: { name: a }\nspec: {}\n'
  const host = fakeHost({ input })
  await run(['validate', '-', '--service-version', '11.1,11.2'], host)
  expect(host.out().match(/manifest\/missing-field/g)).toHaveLength(1)
})

test.each(['github', 'sarif', 'gitlab'])('%s names the version that rejects the manifest', async format => {
  const { exitCode, out } = await check('10.9.1,11.1', '--format', format)
  expect(exitCode).toBe(65)
  expect(out).toContain('with service version 10.9.1, 11.1: ')
  expect(out.match(/version\/field-too-new/g)?.length).toBeGreaterThan(0)
})

const tooOld = 'the site is older than the manifest requires'

test.each([
  ['10.8.1', 'minimal-10.9', '`configure` requires service version 10.9, but the site reports 10.8.1'],
  ['11.1.0', 'cloud-iam-role', '`cloudStorage` requires service version 11.2'],
  ['10.9.0', 'data-stores-10.9.1', '`dataStores` requires service version 10.9.1'],
])('a site of version %s gets no request for %s, and commands end with 6', async (version, file, words) => {
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

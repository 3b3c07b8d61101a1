import { run } from '../../src/cli/run.js'
import { fakeHost } from '../support/fake-host.js'

/** Declares 11.2, and has a field that came with it. */
const manifest = 'examples/placement-policy.yaml'
const tooNew = /`upgrade` requires service version 11\.2/

const check = async (versions: string, ...options: readonly string[]) => {
  const host = fakeHost()
  const exitCode = await run(['validate', manifest, '--service-version', versions, ...options], host)
  return { exitCode, out: host.out() }
}

test.each([
  ['one version', '11.1', '11.1: '],
  ['all versions that were asked for', '10.9.1,11.0,11.1', '10.9.1, 11.0, 11.1: '],
  ['some of them', '11.1,11.2', '11.1: '],
])('what %s would refuse is said below the table', async (_name, versions, before) => {
  const { exitCode, out } = await check(versions)
  expect(exitCode).toBe(65)
  expect(out).toContain(`\n${before}${manifest}:`)
  expect(out).toMatch(tooNew)
})

test('what a version newer than the known ones would be told is said, too', async () => {
  expect((await check('13.0')).out).toMatch(/^13\.0: .*version\/newer$/m)
  expect((await check('12.0')).out).toMatch(/^12\.0: .*note .*version\/reported$/m)
})

test('what the check says already is not said again for a version', async () => {
  const input = 'apiVersion: landform.dev/v1\nkind: SiteDeployment\nmetadata: { name: a }\nspec: {}\n'
  const host = fakeHost({ input })
  await run(['validate', '-', '--service-version', '11.1,11.2'], host)
  expect(host.out().match(/manifest\/missing-field/g)).toHaveLength(1)
})

test.each(['github', 'sarif', 'gitlab'])(
  '%s says why the check failed where only another version would refuse the manifest',
  async format => {
    const { exitCode, out } = await check('10.9.1,11.1', '--format', format)
    expect(exitCode).toBe(65)
    expect(out).toContain('with service version 10.9.1, 11.1: ')
    expect(out.match(/version\/field-too-new/g)?.length).toBeGreaterThan(0)
  },
)

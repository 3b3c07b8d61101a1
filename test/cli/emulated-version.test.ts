import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { run } from '../../src/cli/run.js'
import { fakeHost } from '../support/fake-host.js'
import { root } from '../support/manifests.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

/** Runs `landform emulate` for as long as the address it prints is used. */
async function emulating<T>(version: string, use: (url: string) => Promise<T>): Promise<T> {
  const host = fakeHost()
  const ended = run(['emulate', '--service-version', version], host)
  try {
    while (!host.out().endsWith('\n')) await setImmediate()
    return await use(host.out().trim())
  } finally {
    host.signal('SIGINT')
    expect(await ended).toBe(0)
  }
}

test.each([
  ['10.4', false, false],
  ['10.5', false, false],
  ['10.10', true, false],
  ['11.0', true, false],
  ['11.1', true, true],
  ['11.1.7', true, true],
  ['11.2', true, true],
])('the emulated version may be %s: configure is there: %s, validate: %s', (version, configures, validates) =>
  emulating(version, async url => {
    const export_ = (values: Readonly<Record<string, string>>) =>
      fetch(`${url}/exportSite`, { method: 'POST', body: new URLSearchParams({ location: '/b', ...values }) })
    expect(await (await export_({})).json()).toHaveProperty('status', 'success')
    expect((await fetch(`${url}/configure`, { method: 'POST' })).status).toBe(configures ? 200 : 404)
    const validated = await (await export_({ validate: 'true' })).json()
    expect(validated).toEqual(validates ? { status: 'success' } : { error: expect.anything() })
  }),
)

test.each(['10.3', '10.3.9', '11.2.1', '11.3', '99.0', 'new'])(
  'the emulated version may not be %s, and the message has the range',
  async version => {
    const host = fakeHost()
    expect(await run(['emulate', '--service-version', version], host)).toBe(64)
    expect(host.err()).toContain('--service-version must be a version from 10.4 to 11.2')
    expect(host.out()).toBe('')
  },
)

test.each(['11.5', '12.0'])('a manifest of version %s is rehearsed as one of the newest', async version => {
  const text = readFileSync(join(root, 'examples/quickstart.yaml'), 'utf8')
  const file = join(await temporaryFolder(), 'site.yaml')
  writeFileSync(file, text.replace(/version: "?11\.2"?/, `version: "${version}"`))
  const host = fakeHost()
  expect(await run(['apply', '--emulate', file, '--yes'], host)).toBe(0)
  expect(host.screen()).toContain(version)
})

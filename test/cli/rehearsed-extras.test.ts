import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { fakeHost } from '../support/fake-host.js'
import { landform } from '../support/landform.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const aManifestWith = async (extra: string) => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'licenses'))
  await copyFile('examples/licenses/site.json', join(folder, 'licenses', 'site.json'))
  const text = await readFile('examples/quickstart.yaml', 'utf8')
  await writeFile(join(folder, 'site.yaml'), `${text.trimEnd()}\n  extra: ${extra}\n`)
  return join(folder, 'site.yaml')
}

test('a manifest with extra parameters is rehearsed to its end', async () => {
  const file = await aManifestWith('{ placementPolicies: { a: [1] }, logRetentionDays: 30 }')
  const { exitCode, err } = await landform(['apply', '--emulate', file])
  expect([exitCode, err]).toEqual([0, expect.stringContaining('the site is ready')])
})

test.each([
  [['--accept', 'futureParameter'], 0, /the site is ready/],
  [['--accept', 'other', '--accept', 'futureParameter'], 0, /the site is ready/],
  [[], 5, /The parameter "futureParameter" is unknown/],
  [['--accept', 'futureparameter'], 5, /The parameter "futureParameter" is unknown/],
])('an emulator with %j ends an apply with %d', async (options, exitCode, words) => {
  const host = fakeHost()
  const ended = run(['emulate', '--speed', '600', ...options], host)
  while (!host.out().includes('\n')) await new Promise(resolve => setImmediate(resolve))
  const file = await aManifestWith('{ futureParameter: 1 }')
  const where = ['--url', host.out().trim(), '--state', `file:${await temporaryFolder()}`]
  const applied = await landform(['apply', '--yes', file, ...where], { environment: someSecrets })
  host.signal('SIGINT')
  expect(await ended).toBe(0)
  expect([applied.exitCode, applied.err]).toEqual([exitCode, expect.stringMatching(words)])
})

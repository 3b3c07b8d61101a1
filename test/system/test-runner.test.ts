import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/manifests.js'
import { temporaryFolder } from '../support/temporary-folder.js'

test('a test that waits forever fails by its name, and the others continue', async () => {
  const folder = await temporaryFolder()
  const own = (name: string) => join(root, 'scripts', 'jest', name)
  const config = { runner: own('runner.mjs'), setupFilesAfterEnv: [own('worker.mjs')], transform: {} }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'other.test.js'), `test('of another file', () => undefined)`)
  writeFileSync(
    join(folder, 'waiting.test.js'),
    `
describe('a hook', () => {
  afterEach(() => new Promise(() => undefined))
  test('that waits for ever', () => undefined)
})
test('a test that waits for ever', () => new Promise(() => undefined))
test('the next one', () => undefined)
`,
  )
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js')
  const { status, stderr } = spawnSync(
    process.execPath,
    [jest, '--verbose', '-w', '2', '--rootDir', folder],
    {
      cwd: folder,
      env: { ...process.env, TEST_LONGEST_MS: '500' },
      encoding: 'utf8',
      timeout: 120_000,
    },
  )
  expect(status).toBe(1)
  expect(stderr).toContain('✕ (afterEach)')
  expect(stderr).toContain('✕ a test that waits for ever')
  expect(stderr).toContain('it takes longer than 0.5 s')
  expect(stderr).toContain('✓ the next one')
  expect(stderr).toContain('✓ of another file')
})

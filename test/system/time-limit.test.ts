import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/manifests.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const suite = `
describe('a hook', () => {
  afterEach(() => new Promise(() => undefined))
  test('that waits for ever', () => undefined)
})
test('a test that waits for ever', () => new Promise(() => undefined))
test('the next one', () => undefined)
`

/** Runs a file of tests as those of this project are run. */
async function runFile(text: string) {
  const folder = await temporaryFolder()
  const own = (name: string) => join(root, 'scripts', 'jest', name)
  const config = { runner: own('runner.mjs'), setupFilesAfterEnv: [own('worker.mjs')], transform: {} }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'some.test.js'), text)
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(config))
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js')
  return spawnSync(process.execPath, [jest, '--verbose', '--rootDir', folder], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, LANDFORM_TEST_SEED: '1', LANDFORM_TEST_LONGEST_MS: '500' },
    timeout: 120_000,
  })
}

test('what waits for what never comes fails by its name, and the others go on', async () => {
  const { status, stderr } = await runFile(suite)
  expect(status).toBe(1)
  expect(stderr).toContain('✕ (afterEach)')
  expect(stderr).toContain('✕ a test that waits for ever')
  expect(stderr).toContain('it takes longer than 0.5 s')
  expect(stderr).toContain('✓ the next one')
})

test('a test that defines a test fails by its name', async () => {
  const { status, stderr } = await runFile(`
test('outer', () => {
  test('inner', () => undefined)
})
test('the next one', () => undefined)
`)
  expect(status).toBe(1)
  expect(stderr).toContain('✕ outer')
  expect(stderr).toContain('a test is defined inside a test')
  expect(stderr).toContain('✓ the next one')
})

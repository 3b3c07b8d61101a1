import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/manifests.js'
import { temporaryFolder } from '../support/temporary-folder.js'

test('a test that waits forever fails by its name, and the others continue', async () => {
  const folder = await temporaryFolder()
  const own = (name: string) => join(root, 'scripts', 'jest', name)
  const config = { runner: own('runner.mjs'), setupFilesAfterEnv: [own('worker.mjs')], transform: {} }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(config))
  writeFileSync(
    join(folder, 'other.test.js'),
    `
import { appendFileSync } from 'node:fs'
const note = text => appendFileSync('${folder}/order', text)
beforeAll(() => atEnd(() => note('the end of the file')))
afterAll(() => note('its last hook, '))
test('of another file', () => atEnd(() => note('the end of a test, ')))
`,
  )
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
    { cwd: folder, env: { ...process.env, TEST_LONGEST_MS: '500' }, encoding: 'utf8', timeout: 120_000 },
  )
  expect(status).toBe(1)
  expect(stderr).toContain('✕ (afterEach)')
  expect(stderr).toContain('✕ a test that waits for ever')
  expect(stderr).toContain('it takes longer than 0.5 s')
  expect(stderr).toContain('✓ the next one')
  expect(stderr).toContain('✓ of another file')
  const order = readFileSync(join(folder, 'order'), 'utf8')
  expect(order).toBe('the end of a test, its last hook, the end of the file')
})

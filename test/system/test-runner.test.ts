import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../support/manifests.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

/** Runs files of tests as those of this project are run: a single one in the process of Jest, more in one each. */
async function runFiles(texts: readonly string[], longestMs = 60_000) {
  const { args, options } = await prepareFiles(texts, longestMs)
  return spawnSync(process.execPath, args, { ...options, encoding: 'utf8', timeout: 120_000 })
}

async function prepareFiles(texts: readonly string[], longestMs = 60_000) {
  const folder = await temporaryFolder()
  const own = (name: string) => join(root, 'scripts', 'jest', name)
  const config = { runner: own('runner.mjs'), setupFilesAfterEnv: [own('worker.mjs')], transform: {} }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  for (const [at, text] of texts.entries()) writeFileSync(join(folder, `file-${at + 1}.test.js`), text)
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(config))
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js')
  return {
    folder,
    args: [jest, '--verbose', '-w', `${texts.length}`, '--rootDir', folder],
    options: {
      cwd: folder,
      env: { ...process.env, LANDFORM_TEST_SEED: '1', LANDFORM_TEST_LONGEST_MS: `${longestMs}` },
    },
  }
}

test('what waits for what never comes fails by its name, and the others go on', async () => {
  const { status, stderr } = await runFiles(
    [
      `
describe('a hook', () => {
  afterEach(() => new Promise(() => undefined))
  test('that waits for ever', () => undefined)
})
test('a test that waits for ever', () => new Promise(() => undefined))
test('the next one', () => undefined)
`,
    ],
    500,
  )
  expect(status).toBe(1)
  expect(stderr).toContain('✕ (afterEach)')
  expect(stderr).toContain('✕ a test that waits for ever')
  expect(stderr).toContain('it takes longer than 0.5 s')
  expect(stderr).toContain('✓ the next one')
})

test('a test that defines a test fails by its name', async () => {
  const { status, stderr } = await runFiles([
    `
test('outer', () => {
  test('inner', () => undefined)
})
test('the next one', () => undefined)
`,
  ])
  expect(status).toBe(1)
  expect(stderr).toContain('✕ outer')
  expect(stderr).toContain('a test is defined inside a test')
  expect(stderr).toContain('✓ the next one')
})

test('an error that nothing awaits fails the test that runs, and the others go on', async () => {
  const { status, stderr } = await runFiles([
    `
test('the one that runs', () => new Promise(() => setTimeout(() => { throw new Error('of a timer') })))
test('the next one', () => undefined)
`,
    `test('of another file', () => undefined)`,
  ])
  expect(status).toBe(1)
  expect(stderr).toContain('✕ the one that runs')
  expect(stderr).toContain('of a timer')
  expect(stderr).toContain('✓ the next one')
  expect(stderr).toContain('✓ of another file')
})

/** Its only test has ended when this happens in its process. */
const endsBefore = (event: string) => `
import { writeFileSync } from 'node:fs'
test('that has ended', () => {
  setTimeout(() => {
    writeFileSync('done', '')
    ${event}
  }, 300)
})`

/** Waits until the other file has written `done`, and a little longer. */
const waiting = `
import { existsSync } from 'node:fs'
test('that waits', async () => {
  while (!existsSync('done')) await new Promise(resolve => setTimeout(resolve, 10))
  await new Promise(resolve => setTimeout(resolve, 1000))
})`

test('an error that comes after the tests fails their file by its name, and keeps the results of the others', async () => {
  const { status, stderr } = await runFiles([endsBefore("throw new Error('of a timer')"), waiting])
  expect(status).toBe(1)
  expect(stderr).toContain('✓ that has ended')
  expect(stderr).toContain('✓ that waits')
  expect(stderr).toMatch(
    /FAIL \.\/file-1\.test\.js\n {2}● .*\n\n {4}an error came while none of its tests ran/,
  )
  expect(stderr).toContain('of a timer')
})

test('a worker that is killed while it has nothing to do takes no results with it', async () => {
  const { status, stderr } = await runFiles([endsBefore("process.kill(process.pid, 'SIGKILL')"), waiting])
  expect(status).toBe(0)
  expect(stderr).toContain('✓ that has ended')
  expect(stderr).toContain('✓ that waits')
  expect(stderr).toContain('a worker that had no file to run: Worker exited unexpectedly')
})

test('a run that is killed leaves no process behind', async () => {
  const { folder, args, options } = await prepareFiles([
    `
import { renameSync, writeFileSync } from 'node:fs'
test('that tells its process, and takes a while', async () => {
  writeFileSync('writing', String(process.pid))
  renameSync('writing', 'pid')
  await new Promise(resolve => setTimeout(resolve, 2000))
})`,
    `test('of another file', () => undefined)`,
  ])
  const run = spawn(process.execPath, args, { ...options, stdio: 'ignore' })
  const pid = join(folder, 'pid')
  while (!existsSync(pid)) await sleep(20)
  run.kill('SIGKILL')
  const worker = Number(readFileSync(pid, 'utf8'))
  // Far longer than the test takes that it is in.
  for (let tries = 0; tries < 600 && isAlive(worker); tries += 1) await sleep(50)
  expect(isAlive(worker)).toBe(false)
})

test.each([
  [['plan/canonical'], false],
  [['PLAN/PLANNER', 'manifest/properties'], false],
  // It starts the program, by a helper.
  [['cli/check-folders'], true],
  [['plan/canonical', 'system/docs/links'], true],
  // Jest may mean something else by these, such as the value of an option.
  [['there-is-no-such-test'], true],
  [['plan/('], true],
])('that tests of %j need what is bundled: %j', async (patterns, isNeeded) => {
  const { needsBundles } = await import(join(root, 'scripts', 'needs-bundles.mjs'))
  expect(needsBundles(patterns)).toBe(isNeeded)
})

/** False for one that has ended and that nobody has collected, as in a container. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

// `npm test` builds, checks style and types, and runs the unit tests. `npm test -- PATTERN… [options of Jest]` builds, and runs
// the tests of both projects whose path contains the pattern. `npm run test:system` runs those of test/system/.
// The last line is `N passed, N failed`; a failed check of style or types counts as one failure.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const words = process.argv.slice(2)
const isEverything = words.length === 0
const args = isEverything
  ? ['--selectProjects', 'unit']
  : words[0] === '--system'
    ? // The option takes every word that follows it.
      [...words.slice(1), '--selectProjects', 'system']
    : words

if (!run(process.execPath, ['scripts/make-ready.mjs'])) process.exit(1)
const isChecked = !isEverything || run('npm', ['run', '--silent', 'check'])
const folder = mkdtempSync(join(tmpdir(), 'landform-test-'))
try {
  const file = join(folder, 'report.json')
  // Tests must not read or write the state of the user who runs them.
  const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state') }
  const isGreen = run(
    process.execPath,
    ['node_modules/jest/bin/jest.js', ...args, '--json', `--outputFile=${file}`],
    env,
  )
  const { passed, failed, skipped } = existsSync(file)
    ? readReport(JSON.parse(readFileSync(file, 'utf8')))
    : { passed: 0, failed: isGreen ? 0 : 1, skipped: [] }
  for (const name of skipped) process.stdout.write(`SKIPPED  ${name}\n`)
  if (!isChecked) process.stdout.write('FAILED  npm run check (`npm run format` fixes most of the style)\n')
  const allFailed = failed + (isChecked ? 0 : 1)
  const skippedWords = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  process.stdout.write(`\n${passed} passed, ${allFailed} failed${skippedWords}\n`)
  process.exitCode = isGreen && isChecked ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(command, commandArgs, env = process.env) {
  return spawnSync(command, commandArgs, { cwd: root, env, stdio: 'inherit' }).status === 0
}

/** Reads the report of Jest. A file that cannot run counts as one failure. */
function readReport({ numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults }) {
  const skipped = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'pending')
    .map(({ fullName }) => fullName)
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites, skipped }
}

// Tries at length the properties that the tests try in short: `npm run verify:properties [-- FACTOR]` makes so many times
// as many cases of each. Prints counts, and ends with 1 when a property does not hold.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const factor = process.argv[2] ?? '20'
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const tests = join(root, 'dist', 'test')
const files = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.test.js'))
  .map(name => join(tests, name))
  .filter(file => readFileSync(file, 'utf8').includes('/support/cases.js'))

const folder = mkdtempSync(join(tmpdir(), 'landform-properties-'))
const report = join(folder, 'report.json')
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js')
// Only what is awaited has a limit, and the limit is for the short form.
const args = ['--json', `--outputFile=${report}`, '--testTimeout=3600000', ...files]
const { status } = spawnSync(
  process.execPath,
  ['--experimental-vm-modules', '--no-warnings', jest, ...args],
  { cwd: root, env: { ...process.env, PROPERTY_FACTOR: factor }, stdio: ['ignore', 'ignore', 'inherit'] },
)
const { testResults, numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
rmSync(folder, { recursive: true })
for (const { name, startTime, endTime, assertionResults } of testResults) {
  const seconds = ((endTime - startTime) / 1000).toFixed(1)
  const file = name.slice(tests.length + 1).replace(/\.js$/, '')
  process.stdout.write(
    `${file.padEnd(40)}${`${assertionResults.length} tests`.padStart(12)}${`${seconds} s`.padStart(12)}\n`,
  )
}
process.stdout.write(
  `${numPassedTests} passed, ${numFailedTests} failed, each property tried ${factor} times as often\n`,
)
process.exitCode = status === 0 ? 0 : 1

// Runs every line of the fault table: each fault, made to happen to each command that can meet it, on both fidelities of
// the emulator and with state in files and in git. `npm run verify:faults`. Prints counts, and ends with 1 when a line
// does not hold.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), 'landform-faults-'))
const report = join(folder, 'report.json')
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js')
const args = ['--json', `--outputFile=${report}`, '--testTimeout=600000', 'faults/faults.test.js']
const { status } = spawnSync(
  process.execPath,
  ['--experimental-vm-modules', '--no-warnings', jest, ...args],
  { cwd: root, env: { ...process.env, FAULT_CELLS: 'all' }, stdio: ['ignore', 'ignore', 'inherit'] },
)
const { testResults, numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
rmSync(folder, { recursive: true })
const counts = new Map()
for (const { ancestorTitles, status: result } of testResults.flatMap(one => one.assertionResults)) {
  const [row] = ancestorTitles
  if (row === undefined) continue
  const { passed = 0, failed = 0 } = counts.get(row) ?? {}
  counts.set(row, result === 'passed' ? { passed: passed + 1, failed } : { passed, failed: failed + 1 })
}
for (const [row, { passed, failed }] of counts)
  process.stdout.write(
    `${row.slice(0, 90).padEnd(92)}${`${passed}`.padStart(4)}${failed > 0 ? `  ${failed} FAILED` : ''}\n`,
  )
process.stdout.write(`${numPassedTests} passed, ${numFailedTests} failed\n`)
process.exitCode = status === 0 ? 0 : 1

// Runs every line of the fault table: each fault, made to happen to each command that can meet it, on both fidelities of
// the emulator and with state in files and in git. `npm run verify:faults [-- --short]`; the short form has a cell of
// each line.
import { failuresIn, jestReport } from '../jest-report.mjs'
import { complain, conclude, count, figures, say } from './check.mjs'

const { every } = figures({ every: [false, true] })
const report = jestReport(['faults/faults.test.js'], every ? { FAULT_CELLS: 'all' } : {})
const counts = new Map()
for (const { ancestorTitles, status } of report.testResults.flatMap(one => one.assertionResults)) {
  const [row] = ancestorTitles
  if (row !== undefined && status === 'passed') counts.set(row, (counts.get(row) ?? 0) + 1)
}
for (const [row, passed] of counts) say(`${row.slice(0, 90).padEnd(92)}${`${passed}`.padStart(4)}`)
complain('faults', failuresIn(report))
count('cells', report.numPassedTests)
conclude()

// Tries at length the properties that the tests try in short: `npm run verify:properties [-- --factor N]` makes so
// many times as many cases of each.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { failuresIn, jestReport, root } from '../jest-report.mjs'
import { complain, conclude, count, figures, say } from './check.mjs'

const { factor } = figures({ factor: [1, 20] })
const tests = join(root, 'dist', 'test')
const files = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.test.js'))
  .map(name => join(tests, name))
  .filter(file => readFileSync(file, 'utf8').includes('/support/cases.js'))

const report = jestReport(files, { PROPERTY_FACTOR: String(factor) })
for (const { name, startTime, endTime, assertionResults } of report.testResults) {
  const seconds = ((endTime - startTime) / 1000).toFixed(1)
  const file = name.slice(tests.length + 1).replace(/\.js$/, '')
  say(`${file.padEnd(40)}${`${assertionResults.length} tests`.padStart(12)}${`${seconds} s`.padStart(12)}`)
}
complain('properties', failuresIn(report))
count('properties', report.numPassedTests)
conclude()

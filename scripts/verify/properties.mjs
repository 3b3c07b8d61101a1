// Tries at length the properties that the tests try in short: `npm run verify:properties [-- --factor N]` makes so
// many times as many cases of each.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failuresIn, jestReport, root } from '../jest-report.mjs'
import { complain, conclude, count, figures, say } from './check.mjs'

const { factor } = figures({ factor: [1, 60] })
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
count('times as many cases', factor)
count('controls found', failuresIn(planted()).length)
conclude()

/** A property that does not hold in the last case of the many, and a file that does not run. */
function planted() {
  const folder = mkdtempSync(join(tmpdir(), 'landform-properties-'))
  const some = 10
  const cases = JSON.stringify(join(tests, 'support', 'cases.js'))
  const last = `let tried = 0
    const { cases } = await import(${cases})
    test('a property that fails late', () => {
      for (let at = 0; at < cases(${some}); at += 1) tried += 1
      expect(tried).toBeLessThan(${some * factor})
    })`
  const files = Object.entries({ late: last, broken: 'import "./nothing.js"' }).map(([name, text]) => {
    const file = join(folder, `${name}.test.js`)
    writeFileSync(file, text)
    return file
  })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  try {
    return jestReport(
      ['--roots', folder, '--runTestsByPath', ...files],
      { PROPERTY_FACTOR: String(factor) },
      { isSilent: true },
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

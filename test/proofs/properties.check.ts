import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failuresIn, jestReport } from '../support/jest-report.js'
import { root } from '../support/manifests.js'
import { declareCheck } from './check.js'

const tests = join(root, 'dist', 'test')

/** Tries at length the properties that the tests try in short. */
export const check = declareCheck({
  name: 'properties',
  shows: 'Properties that the tests try a few times also hold with many more cases.',
  counts: { properties: [400, 1000], 'times as many cases': [1, 60], 'controls found': [2, 2] },
  planted: 'controls found',
  short: 'test',
  gate: 'change',
  /** The cases of each property, as a multiple of those of `npm test`. */
  figures: { factor: [1, 60] },
  async run({ complain, count, figures: { factor }, say, scratchFolder, seed }) {
    const report = jestReport(propertyFiles(), {
      PROPERTY_SEED: String(seed),
      PROPERTY_FACTOR: String(factor),
    })
    for (const { name, startTime, endTime, assertionResults } of report.testResults) {
      const seconds = ((endTime - startTime) / 1000).toFixed(1)
      const file = name.slice(tests.length + 1).replace(/\.js$/, '')
      say(
        `${file.padEnd(40)}${`${assertionResults.length} tests`.padStart(12)}${`${seconds} s`.padStart(12)}`,
      )
    }
    complain('properties', failuresIn(report))
    count('properties', report.numPassedTests)
    count('times as many cases', factor)
    count('controls found', plantedFailures(scratchFolder(), factor).size)
  },
})

/** Lists the tests with properties, and those with tables of which `npm test` tries a part. */
function propertyFiles(): readonly string[] {
  return readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.js'))
    .map(name => join(tests, name))
    .filter(file => /\/support\/cases\.js/.test(readFileSync(file, 'utf8')))
}

/** Has Jest fail a property that does not hold in the last case of the many, and a file that does not run. */
function plantedFailures(folder: string, factor: number): ReadonlySet<string> {
  const some = 10
  const cases = JSON.stringify(join(tests, 'support', 'cases.js'))
  const late = `let tried = 0
    const { cases } = await import(${cases})
    test('a property that fails late', () => {
      for (let at = 0; at < cases(${some}); at += 1) tried += 1
      expect(tried).toBeLessThan(${some * factor})
    })`
  const files = Object.entries({ late, broken: 'import "./nothing.js"' }).map(([name, text]) => {
    const file = join(folder, `${name}.test.js`)
    writeFileSync(file, text)
    return file
  })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const words = ['--roots', folder, '--runTestsByPath', ...files]
  // Each project of Jest runs a file that is named by its path.
  return new Set(failuresIn(jestReport(words, { PROPERTY_FACTOR: String(factor) }, { isSilent: true })))
}

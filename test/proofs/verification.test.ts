import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/manifests.js'
import type { Check } from './check.js'
import { formatKept, formatPage, type Kept, shortfalls } from './results.js'
import { checkNames, loadCheck } from './verify.js'

const read = (...path: readonly string[]) => readFileSync(join(root, ...path), 'utf8')
const kept: Kept = JSON.parse(read('docs', 'verification.json'))
// One after the other: some of the imported modules wait for programs at their top level.
const checks: Check[] = []
for (const name of checkNames) checks.push(await loadCheck(name))

test('the page is up to date with the results', () => {
  expect(read('docs', 'verification.json')).toBe(formatKept(kept))
  const isFresh = read('docs', 'verification.md') === formatPage(checks, kept)
  expect(isFresh ? 'fresh' : 'stale: run `npm run verify -- model --full --write`').toBe('fresh')
})

test('every check has a file with its name, and every such file is in the list', () => {
  const names = readdirSync(join(root, 'test', 'proofs'))
    .filter(file => file.endsWith('.check.ts'))
    .map(file => file.replace(/\.check\.ts$/, ''))
  expect(names.sort()).toEqual([...checkNames].sort())
  expect(checks.map(({ name }) => name)).toEqual(checkNames)
})

test('every check counts something, and no less in its full form', () => {
  for (const { name, counts } of checks) {
    const minimums = Object.values(counts)
    expect([name, minimums.some(([short]) => short > 0)]).toEqual([name, true])
    for (const [short, full] of minimums) expect([name, full > 0 && full >= short]).toEqual([name, true])
  }
})

test.each([
  ['reached every minimum', 'full', { models: 5 }, [], 0],
  ['reached less', 'full', { models: 4 }, [], 1],
  ['reached the minimum of the short form', 'short', { models: 2 }, [], 0],
  ['reached less for a reason', 'full', {}, ['models'], 0],
  ['chose its own figures', 'own', { models: 1 }, [], 0],
  ['chose its own figures, and checked nothing', 'own', { models: 0 }, [], 1],
] as const)('a run that %s has the right number of shortfalls', (_, form, counts, excused, times) => {
  expect(shortfalls({ counts: { models: [2, 5] } }, { form, counts, skipped: [] }, excused)).toHaveLength(
    times,
  )
})

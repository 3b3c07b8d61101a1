import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/manifests.js'
import { checkNames, loadCheck, loadChecks } from './checks.js'
import { type Kept, type KeptResult, mergeResults, shortfalls, verdictOn } from './results.js'
import { verificationPage } from './verification-page.js'

const read = (...path: readonly string[]) => readFileSync(join(root, ...path), 'utf8')
const kept: Kept = JSON.parse(read('docs', 'verification.json'))
const checks = await loadChecks()

test('the page is what the results make', () => {
  const isFresh = read('docs', 'verification.md') === verificationPage(checks, kept)
  expect(isFresh ? 'fresh' : 'stale: run `npm run verify -- --render`').toBe('fresh')
})

test('no result is kept of a check that failed, or that is none', () => {
  expect(kept.results.filter(({ violations }) => violations > 0)).toEqual([])
  expect(kept.results.filter(({ name }) => !checkNames.includes(name))).toEqual([])
})

test('what was kept reached every minimum', () => {
  const short = checks.flatMap(check =>
    kept.results
      .filter(({ name }) => name === check.name)
      .flatMap(result => shortfalls(check, result).map(shortfall => `${check.name}: ${shortfall}`)),
  )
  expect(short).toEqual([])
})

test('every check has a file with its name, and every such file is in the list', async () => {
  const names = readdirSync(join(root, 'test', 'proofs'))
    .filter(file => file.endsWith('.check.ts'))
    .map(file => file.replace(/\.check\.ts$/, ''))
  expect(names.sort()).toEqual([...checkNames].sort())
  for (const name of names) expect((await loadCheck(name)).name).toBe(name)
})

test('every check counts something, and no less in its full form', () => {
  for (const { name, counts } of checks) {
    expect([name, Object.keys(counts).length]).not.toEqual([name, 0])
    for (const [short, full] of Object.values(counts)) {
      expect([name, short]).not.toEqual([name, 0])
      expect(full).toBeGreaterThanOrEqual(short)
    }
  }
})

test('every check has to find what was planted wrong', () => {
  const without = checks.filter(({ counts, planted }) => !(planted in counts))
  expect(without.map(({ name }) => name)).toEqual([])
})

describe('a result', () => {
  const asked = { 'safe models': 2, 'broken models found': 5 }
  const check = { counts: { 'safe models': [2, 2], 'broken models found': [5, 5] } } as const
  const one: KeptResult = {
    name: 'model',
    form: 'full',
    counts: asked,
    skipped: [],
    violations: 0,
    seconds: 61,
    date: '2026-01-02',
    commit: 'abc1234',
  }

  test.each([
    [{}, 'ok'],
    [{ skipped: ['there is no spin'] }, 'in part'],
    [{ violations: 1, skipped: ['there is no spin'] }, 'FAILED'],
    [{ counts: {}, skipped: ['there is no spin'] }, 'not run'],
  ])('with %j is %s', (change, verdict) => {
    expect(verdictOn({ ...one, ...change })).toBe(verdict)
  })

  test.each<readonly [string, Partial<KeptResult>, number]>([
    ['came to all', {}, 0],
    ['came to less', { counts: { 'safe models': 2, 'broken models found': 4 } }, 1],
    [
      'came to less and skipped something else',
      { counts: { 'safe models': 2 }, skipped: ['there is no moon'] },
      1,
    ],
    [
      'came to less for a reason',
      { counts: {}, skipped: ['there is no spin'], excused: Object.keys(asked) },
      0,
    ],
  ])('that %s falls short as often as it should', (_, change, times) => {
    expect(shortfalls(check, { ...one, ...change })).toHaveLength(times)
  })

  test('with own figures falls short where nothing at all was counted', () => {
    const own = { ...one, form: 'own' } as const
    expect(shortfalls(check, own)).toEqual([])
    expect(shortfalls(check, { ...own, counts: { 'safe models': 0 } })).toEqual(['nothing was checked'])
  })

  test('takes the place of an earlier one of its form', () => {
    const short: KeptResult = { ...one, form: 'short' }
    const later = { ...one, seconds: 5 }
    expect(mergeResults(['model'], [one, short], [later])).toEqual([short, later])
  })

  test('comes in the order of the checks, and goes with its check', () => {
    const other = { ...one, name: 'cuts' }
    expect(mergeResults(['cuts', 'model'], [one], [other])).toEqual([other, one])
    expect(mergeResults(['cuts'], [one], [other])).toEqual([other])
  })

  test('stands on the page with the command that repeats it', () => {
    const text = verificationPage(checks, { ...kept, results: [{ ...one, seed: 7 }] })
    expect(text).toContain(
      '| `npm run verify -- model --full --seed 7` | 2 safe models, 5 broken models found | 1 min 1 s | ok | abc1234, 2026-01-02 |',
    )
  })
})

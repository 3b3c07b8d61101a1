import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/manifests.js'
import { checks } from './checks.js'
import { type Kept, type KeptResult, renewed, shortfalls, verdictOn } from './results.js'
import { verificationPage } from './verification-page.js'

const read = (...path: readonly string[]) => readFileSync(join(root, ...path), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
const kept = JSON.parse(read('docs', 'verification.json')) as Kept

test('the page is what the results make', () => {
  const isFresh = read('docs', 'verification.md') === verificationPage(kept)
  expect(isFresh ? 'fresh' : 'stale: run `npm run verify -- --render`').toBe('fresh')
})

test('no result is kept of a check that failed, or that is none', () => {
  expect(kept.results.filter(({ violations }) => violations > 0)).toEqual([])
  const names = checks.map(({ name }) => name)
  expect(kept.results.filter(({ name }) => !names.includes(name))).toEqual([])
})

test('what was kept came to what is asked for', () => {
  const short = kept.results.flatMap(one =>
    shortfalls(one).map(shortfall => `verify:${one.name}: ${shortfall}`),
  )
  expect(short).toEqual([])
})

test('every check is a command, and every command is in the table of checks', () => {
  const own = checks.map(({ name }) => `verify:${name}`)
  expect(
    Object.keys(scripts)
      .filter(name => name.startsWith('verify:'))
      .sort(),
  ).toEqual([...own].sort())
  for (const { name } of checks) {
    expect(scripts[`verify:${name}`]).toContain(`scripts/verify/${name}.mjs`)
    expect(existsSync(join(root, 'scripts', 'verify', `${name}.mjs`))).toBe(true)
  }
})

test('every check looks at something, and at no less in its full form', () => {
  for (const { name, demands } of checks) {
    expect([name, Object.keys(demands).length]).not.toEqual([name, 0])
    for (const [short, full] of Object.values(demands)) {
      expect([name, short]).not.toEqual([name, 0])
      expect(full).toBeGreaterThanOrEqual(short)
    }
  }
})

test('every check has to find what was planted wrong', () => {
  const without = checks.filter(({ demands, planted }) => !(planted in demands))
  expect(without.map(({ name }) => name)).toEqual([])
})

test('no script of a check lies about unused', () => {
  const known = ['check', 'verify', ...checks.map(({ name }) => name)].map(name => `${name}.mjs`)
  const files = readdirSync(join(root, 'scripts', 'verify'))
  const used = (file: string) => files.some(other => read('scripts', 'verify', other).includes(`'${file}'`))
  expect(files.filter(file => !known.includes(file) && !used(file))).toEqual([])
})

describe('a result', () => {
  const asked = { 'safe models': 2, 'broken models found': 5 }
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
    ['is of no check', { name: 'nobody' }, 1],
  ])('that %s falls short as often as it should', (_, change, times) => {
    expect(shortfalls({ ...one, ...change })).toHaveLength(times)
  })

  test('with own figures falls short where nothing at all was looked at', () => {
    const own = { ...one, form: 'own' } as const
    expect(shortfalls(own)).toEqual([])
    expect(shortfalls({ ...own, counts: { 'safe models': 0 } })).toEqual(['nothing was looked at'])
  })

  test('takes the place of an earlier one of its form', () => {
    const short: KeptResult = { ...one, form: 'short' }
    const later = { ...one, seconds: 5 }
    expect(renewed([one, short], [later])).toEqual([short, later])
  })

  test('stands on the page with the command that repeats it', () => {
    const text = verificationPage({ ...kept, results: [{ ...one, seed: 7 }] })
    expect(text).toContain(
      '| `npm run verify:model -- --seed 7` | 2 safe models, 5 broken models found | 1 min 1 s | ok | abc1234, 2026-01-02 |',
    )
  })
})

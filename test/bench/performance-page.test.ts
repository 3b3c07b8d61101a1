import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BudgetLine, budget, verdictOn } from '../../scripts/bench/budget.js'
import type { Measured } from '../../scripts/bench/figures.js'
import { performancePage } from '../../scripts/bench/performance-page.js'
import { root } from '../support/manifests.js'

const kept = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')
const measured = JSON.parse(kept('performance.json')) as Measured

test('the page is what the figures make', () => {
  const isFresh = kept('performance.md') === performancePage(measured)
  expect(isFresh ? 'fresh' : 'stale: run `npm run bench -- --render`').toBe('fresh')
})

test('every line is measured, or the page says what was not', () => {
  const unmeasured = budget.filter(line => verdictOn(line, measured.figures) === 'NOT MEASURED')
  expect(Object.keys(measured.notMeasured).length).toBeGreaterThanOrEqual(Math.min(unmeasured.length, 1))
})

describe('a line of the budget', () => {
  const line: BudgetLine = { what: 'a', unit: 'MB', must: 2, aim: 1, measured: ({ a }) => a?.[0] }

  test.each([
    [1, 'aim'],
    [1.01, 'must'],
    [2, 'must'],
    [2.01, 'MISSED'],
    [undefined, 'NOT MEASURED'],
  ])('at %s is %s', (value, verdict) => {
    expect(verdictOn(line, value === undefined ? {} : { a: [value] })).toBe(verdict)
  })

  test('asks for less than it must at most', () => {
    expect(budget.filter(({ must, aim }) => aim > must)).toEqual([])
  })
})

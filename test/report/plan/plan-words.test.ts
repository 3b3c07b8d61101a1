import type { Plan } from '../../../src/plan/plan.js'
import { capitalize } from '../../../src/report/phrase.js'
import { renderPlanHtml } from '../../../src/report/plan-html.js'
import { formatPlanMarkdown } from '../../../src/report/plan-markdown.js'
import { classifyPlan, describeDecision } from '../../../src/report/plan-words.js'
import { plansOfAllKinds } from '../../support/hostile-plan.js'

const planWith = (kind: string) => plansOfAllKinds.find(([name]) => name === kind)?.[1] as Plan

test.each([
  [
    'a creation',
    'create',
    'creates the organization, which cannot be undone, and then sets the upgrade policy',
  ],
  ['an attachment', 'resume', 'waits for the configuration in progress, and then sets the upgrade policy'],
  ['edits that stop it', 'blocked', 'cannot be applied: 4 edits of immutable fields'],
  ['edits that are ignored', 'update', 'sets the placement policy of upgrades'],
  ['nothing that is known', 'nothing', 'nothing to apply, but nothing of this organization was verified'],
])('a plan with %s comes to %s, and says so first in every rendering', (kind, decision, words) => {
  const plan = planWith(kind)
  expect(classifyPlan(plan)).toBe(decision)
  expect(describeDecision(plan)).toBe(words)
  expect(formatPlanMarkdown(plan).split('\n')[2]).toBe(`### Plan for \`production\`: ${words}`)
  expect(renderPlanHtml(plan)).toContain(`<span>${capitalize(words)}</span></p>`)
})

test('that nothing is to be done never hides that fields differ', () => {
  const { actions, ...rest } = planWith('edits that are ignored')
  const plan = { ...rest, actions: actions.filter(({ change }) => change === 'no-op') }
  expect(classifyPlan(plan)).toBe('differs')
  expect(describeDecision(plan)).toMatch(/^nothing to apply, although \d+ fields differ from /)
})

test('a request of before that the site does not show is looked after, not said to be under way', () => {
  const { actions, ...rest } = planWith('an attachment')
  const open = { operation: 'configure', change: 'resume', reason: 'submitted-before' } as const
  const plan = { ...rest, actions: [open, ...actions.slice(1)] }
  expect(describeDecision(plan)).toBe('watches an earlier request, and sends nothing again')
})

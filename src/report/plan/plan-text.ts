import { dotted } from '../../diagnostics/pointer.js'
import { type Action, blockingEdits, hasChanges, type ImmutableEdit, type Plan } from '../../plan/plan.js'
import { planDocument } from '../../plan/saved/plan-document.js'
import { display } from '../display.js'
import { formatTable } from '../field-table-text.js'
import { coverageText } from '../fields/coverage-text.js'
import { rowOf, rowsOf } from '../fields/field-rows.js'
import { formatVerdicts } from '../fields/verdict-text.js'
import type { Paint } from '../paint.js'
import { formatPhrase } from '../phrase.js'
import type { Section } from '../section.js'
import { formatSection } from '../section-text.js'
import { sentence } from '../sentence.js'
import { ignoreWords } from './ignore-words.js'
import {
  countWords,
  decisionWords,
  editWords,
  irreversibleIn,
  keptPhrase,
  reasonWords,
  several,
  sitePhrase,
  usePhrase,
} from './plan-words.js'

/** What a person wants to see of a plan beside the plan. */
export interface PlanView {
  /** Every field with its verdict, and what the plan is bound to. */
  readonly verbose?: boolean
  /** What stands beside the plan. */
  readonly sections?: readonly Section[]
}

/**
 * A plan for people: what cannot be undone first, then each step with its fields, what can never be applied, how much
 * is known, and the counts.
 */
export function formatPlan(
  plan: Plan,
  paint: Paint,
  { verbose = false, sections = [] }: PlanView = {},
): string {
  return [
    // Never the name at the beginning of a line, where a runner looks for commands.
    `Plan for ${paint('bold', display(plan.name))}  ${display(plan.url)}`,
    formatPhrase(sitePhrase(plan)),
    '',
    ...irreversible(plan, paint),
    ...plan.actions.flatMap(action => formatAction(action, paint)),
    ...edits(plan, paint),
    ...sections.flatMap(section => formatSection(section, paint)),
    ...(verbose ? formatVerdicts(plan.fields, paint) : []),
    ...known(plan, paint),
    ...(verbose ? [boundTo(plan), ''] : []),
    formatCounts(plan),
    '',
  ].join('\n')
}

/** The last line of a plan, which people look for. */
export function formatCounts(plan: Plan): string {
  return `Plan: ${countWords(plan)}.`
}

function irreversible(plan: Plan, paint: Paint): readonly string[] {
  return irreversibleIn(plan).flatMap(({ title, things, hint }) => [
    paint('yellow', `${title}:`),
    ...things.map(
      ({ what, pointer }) => `  ${paint('yellow', '!')} ${what}  ${paint('dim', dotted(pointer))}`,
    ),
    ...(hint === undefined ? [] : [`  ${hint}`]),
    '',
  ])
}

function formatAction(action: Action, paint: Paint): readonly string[] {
  const mark = paint(colours[action.change], signs[action.change])
  const fields = 'fields' in action ? formatTable(rowsOf(action.fields), paint) : []
  const kept = keptPhrase(action)
  return [
    `  ${mark} ${paint('bold', action.operation.padEnd(10))} ${reasonWords[action.reason]}`,
    ...fields,
    ...(kept === undefined ? [] : [`      ${paint('dim', '=')} ${formatPhrase(kept)}`]),
    '',
  ]
}

const signs = { create: '+', update: '~', attach: '>', 'no-op': '=' } as const
const colours = { create: 'green', update: 'yellow', attach: 'cyan', 'no-op': 'dim' } as const

function edits(plan: Plan, paint: Paint): readonly string[] {
  const { immutable } = plan
  if (immutable.length === 0) return []
  const blocking = blockingEdits(plan)
  const reasons = [...new Set(immutable.map(({ because }) => because))]
  const lines = (because: ImmutableEdit['because']) =>
    formatTable(
      immutable
        .filter(edit => edit.because === because)
        .map(edit => ({ ...rowOf(edit), note: edit.ignored ? 'ignored' : 'stops the apply' })),
      paint,
    )
  return [
    `${paint('red', several(immutable.length, 'edit'))} can never be applied:`,
    ...reasons.flatMap(because => [`  ${editWords[because]}`, ...lines(because)]),
    ...(blocking.length === 0
      ? []
      : [
          '',
          'This plan cannot be applied. Take back what stops it in the manifest, or leave the site as it is with',
          `  ${ignoreWords(blocking)}`,
        ]),
    '',
  ]
}

/** Where nothing is to be done, what is known says how much that means. */
function known(plan: Plan, paint: Paint): readonly string[] {
  const coverage = coverageText(plan.fields)
  const nothing =
    hasChanges(plan) || blockingEdits(plan).length > 0 ? [] : [sentence(decisionWords(plan)).trimEnd()]
  const lines = [...nothing, ...(coverage === undefined ? [] : [paint('dim', coverage)])]
  return lines.length === 0 ? [] : [...lines, '']
}

function boundTo(plan: Plan): string {
  const { id } = planDocument(plan)
  return `Plan ${id}, from ${display(plan.binds.tool)}, ${formatPhrase(usePhrase(plan))}.`
}

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

/** Options for showing a plan to people. */
export interface PlanView {
  /** Shows every field with its status, and the bindings of the plan. */
  readonly verbose?: boolean
  /** Further sections beside the plan. */
  readonly sections?: readonly Section[]
}

/**
 * Formats a plan for people: irreversible effects first, then each step with its fields, edits of immutable fields, the
 * coverage, and the counts.
 */
export function formatPlan(
  plan: Plan,
  paint: Paint,
  { verbose = false, sections = [] }: PlanView = {},
): string {
  return [
    // Never the name at the beginning of a line, where a CI runner parses commands.
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

/** Formats the counts: the last line of a plan. */
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
        .map(edit => ({ ...rowOf(edit), note: edit.ignored ? 'ignored' : 'blocks the apply' })),
      paint,
    )
  return [
    `${paint('red', `${several(immutable.length, 'edit')} of immutable fields`)}:`,
    ...reasons.flatMap(because => [`  ${editWords[because]}`, ...lines(because)]),
    ...(blocking.length === 0
      ? []
      : [
          '',
          'This plan cannot be applied. Revert the blocking edits in the manifest, or keep the site as it is with',
          `  ${ignoreWords(blocking)}`,
        ]),
    '',
  ]
}

/** Formats the coverage, which shows how much a plan without changes means. */
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

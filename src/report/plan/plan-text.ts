import { formatDotted } from '../../diagnostics/pointer.js'
import { type Action, hasChanges, listBlockingEdits, listFieldChanges, type Plan } from '../../plan/plan.js'
import { buildPlanDocument } from '../../plan/saved/plan-document.js'
import { display } from '../display.js'
import { formatFieldTable, formatVolumeTable } from '../field-table-text.js'
import { formatCoverage } from '../fields/coverage-text.js'
import { buildFieldRow, buildFieldRows } from '../fields/field-rows.js'
import { formatFieldStatuses } from '../fields/status-text.js'
import { splitVolumes } from '../fields/volume-rows.js'
import type { Paint } from '../paint.js'
import { formatPhrase } from '../phrase.js'
import { formatSection, type Section } from '../section.js'
import { formatNumber, formatSentence } from '../sentence.js'
import { formatIgnoreOptions } from './ignore-words.js'
import {
  buildKeptPhrase,
  buildSitePhrase,
  buildValidityPhrase,
  describeDecision,
  describeEdit,
  formatPlanCounts,
  listIrreversible,
  reasonWords,
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
    formatPhrase(buildSitePhrase(plan)),
    '',
    ...formatIrreversible(plan, paint),
    ...plan.actions.flatMap(action => formatAction(action, paint)),
    ...formatEdits(plan, paint),
    ...sections.flatMap(section => formatSection(section, paint)),
    ...(verbose ? formatFieldStatuses(plan.fields, paint) : []),
    ...formatKnown(plan, paint),
    ...(verbose ? [formatBindings(plan), ''] : []),
    formatCounts(plan),
    '',
  ].join('\n')
}

/** Formats the counts: the last line of a plan. */
export function formatCounts(plan: Plan): string {
  return `Plan: ${formatPlanCounts(plan)}.`
}

function formatIrreversible(plan: Plan, paint: Paint): readonly string[] {
  return listIrreversible(plan).flatMap(({ title, things, hint }) => [
    paint('yellow', `${title}:`),
    ...things.map(
      ({ what, pointer }) => `  ${paint('yellow', '!')} ${what}  ${paint('dim', formatDotted(pointer))}`,
    ),
    ...(hint === undefined ? [] : [`  ${hint}`]),
    '',
  ])
}

function formatAction(action: Action, paint: Paint): readonly string[] {
  const mark = paint(colours[action.change], signs[action.change])
  const { volumes, others } = splitVolumes(listFieldChanges(action))
  const rows = buildFieldRows(others)
  const kept = buildKeptPhrase(action)
  return [
    `  ${mark} ${paint('bold', action.operation.padEnd(10))} ${reasonWords[action.reason]}`,
    ...formatFieldTable(rows, paint),
    ...formatVolumeTable(volumes, rows, paint),
    ...(kept === undefined ? [] : [`      ${paint('dim', '=')} ${formatPhrase(kept)}`]),
    '',
  ]
}

const signs = { create: '+', update: '~', resume: '>', 'no-op': '=' } as const
const colours = { create: 'green', update: 'yellow', resume: 'cyan', 'no-op': 'dim' } as const

function formatEdits(plan: Plan, paint: Paint): readonly string[] {
  const { immutable } = plan
  if (immutable.length === 0) return []
  const blocking = listBlockingEdits(plan)
  const reasons = [...new Set(immutable.map(describeEdit))]
  const lines = (because: string) =>
    formatFieldTable(
      immutable
        .filter(edit => describeEdit(edit) === because)
        .map(edit => ({ ...buildFieldRow(edit), note: edit.ignored ? 'ignored' : 'blocks the apply' })),
      paint,
    )
  return [
    `${paint('red', `${formatNumber(immutable.length, 'edit')} of immutable fields`)}:`,
    ...reasons.flatMap(because => [`  ${because}`, ...lines(because)]),
    ...(blocking.length === 0
      ? []
      : [
          '',
          'This plan cannot be applied. Revert the blocking edits in the manifest, or keep the site as it is with',
          `  ${formatIgnoreOptions(blocking)}`,
        ]),
    '',
  ]
}

/** Formats the coverage, which shows how much a plan without changes means. */
function formatKnown(plan: Plan, paint: Paint): readonly string[] {
  const coverage = formatCoverage(plan.fields)
  const nothing =
    hasChanges(plan) || listBlockingEdits(plan).length > 0
      ? []
      : [formatSentence(describeDecision(plan)).trimEnd()]
  const lines = [...nothing, ...(coverage === undefined ? [] : [paint('dim', coverage)])]
  return lines.length === 0 ? [] : [...lines, '']
}

function formatBindings(plan: Plan): string {
  const { id } = buildPlanDocument(plan)
  return `Plan ${id}, from ${display(plan.binds.tool)}, ${formatPhrase(buildValidityPhrase(plan))}.`
}

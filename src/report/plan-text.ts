import type { UncheckedReference } from '../diagnostics/reference-defect.js'
import { type Action, countCoverage, hasChanges, listBlockingEdits, type Plan } from '../plan/plan.js'
import { buildPlanDocument } from '../plan/saved/plan-document.js'
import { formatDotted } from '../schema/pointer.js'
import { display } from './display.js'
import {
  buildFieldRow,
  buildFieldRows,
  buildLeftRow,
  type FieldTableRow,
  splitVolumes,
  type VolumeRow,
} from './field-rows.js'
import { formatCoverage, formatFieldStatuses } from './field-status.js'
import { formatPhrase, formatSentence, type Section, type SectionRow } from './phrase.js'
import {
  assertWords,
  buildKeptPhrase,
  buildSitePhrase,
  buildUncheckedPhrase,
  buildValidityPhrase,
  countImmutable,
  describeDecision,
  describeEdit,
  describeUnrecorded,
  formatAssertCommand,
  formatIgnoreOptions,
  formatPlanCounts,
  listIrreversible,
  listLeft,
  reasonWords,
  suggestRecord,
} from './plan-words.js'
import type { Paint } from './terminal.js'

/** Options for showing a plan to people. */
export interface PlanView {
  /** Shows every field with its status, and the bindings of the plan. */
  readonly verbose?: boolean
  /** Further sections beside the plan. */
  readonly sections?: readonly Section[]
  /** The secrets and files that are not available where the plan was made. */
  readonly unchecked?: readonly UncheckedReference[] | undefined
  /** The command that records what a person asserts about the site; absent in a rehearsal, which has no record. */
  readonly adopt?: string | undefined
}

/**
 * Formats a plan for people: irreversible effects first, then each step with its fields, edits of immutable fields, the
 * coverage, and the counts.
 */
export function formatPlan(
  plan: Plan,
  paint: Paint,
  { verbose = false, sections = [], unchecked = [], adopt }: PlanView = {},
): string {
  return [
    // The name does not begin the line, because CI runners parse commands there.
    `Plan for ${paint('bold', display(plan.name))}  ${display(plan.url)}`,
    formatPhrase(buildSitePhrase(plan)),
    '',
    ...formatUnrecorded(plan, paint, adopt),
    ...formatIrreversible(plan, paint),
    ...plan.actions.flatMap(action => formatAction(action, paint)),
    ...formatEdits(plan, paint, adopt),
    ...formatLeft(plan, paint, adopt),
    ...sections.flatMap(section => formatSection(section, paint)),
    ...(unchecked.length > 0 ? [formatPhrase(buildUncheckedPhrase(unchecked)), ''] : []),
    ...(verbose ? formatFieldStatuses(plan.fields, paint) : []),
    ...formatKnown(plan, paint),
    ...(verbose
      ? [
          `Plan ${buildPlanDocument(plan).id}, from ${display(plan.binds.tool)}, ${formatPhrase(buildValidityPhrase(plan))}.`,
          '',
        ]
      : []),
    `Plan: ${formatPlanCounts(plan)}.`,
    '',
  ].join('\n')
}

/** Warns that no apply is recorded, before anything that could look healthy. */
function formatUnrecorded({ fields }: Plan, paint: Paint, adopt: string | undefined): readonly string[] {
  const coverage = countCoverage(fields)
  if (coverage.unrecorded === 0) return []
  return [
    paint('yellow', `Warning: ${describeUnrecorded(coverage)}.`),
    ...(adopt === undefined ? [] : suggestRecord(adopt).map(step => `  - ${step}`)),
    '',
  ]
}

function formatLeft(plan: Plan, paint: Paint, adopt = ''): readonly string[] {
  return listLeft(plan, adopt).flatMap(({ title, fields, steps }) => [
    `${paint('yellow', title)}:`,
    ...formatFieldTable(fields.map(buildLeftRow), paint),
    ...(adopt === '' ? [] : steps.map(step => `  - ${step}`)),
    '',
  ])
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
  const { volumes, others } = splitVolumes(action.fields)
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

function formatEdits(plan: Plan, paint: Paint, adopt: string | undefined): readonly string[] {
  const { immutable } = plan
  if (immutable.length === 0) return []
  const blocking = listBlockingEdits(plan)
  const assert = formatAssertCommand(adopt, plan)
  const reasons = [...new Set(immutable.map(describeEdit))]
  const lines = (because: string) =>
    formatFieldTable(
      immutable
        .filter(edit => describeEdit(edit) === because)
        .map(edit => ({ ...buildFieldRow(edit), note: edit.ignored ? 'ignored' : 'blocks the apply' })),
      paint,
    )
  return [
    `${paint('red', countImmutable(immutable.length))}:`,
    ...reasons.flatMap(because => [`  ${because}`, ...lines(because)]),
    ...(blocking.length === 0
      ? []
      : [
          '',
          'This plan cannot be applied. Revert the blocking edits in the manifest, or ignore them with',
          `  ${formatIgnoreOptions(blocking)}`,
          ...(assert === undefined ? [] : [`${assertWords}:`, `  ${assert}`]),
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

/** Longer cells do not widen the column of all rows. */
const maxCellWidth = 30

function measureColumn(cells: readonly string[]): number {
  return Math.max(0, ...cells.map(({ length }) => length).filter(length => length <= maxCellWidth))
}

/** Formats the fields of a step: the line in the manifest, a sign, the name, and the values before and after. */
export function formatFieldTable(
  rows: readonly (FieldTableRow & { readonly note?: string })[],
  paint: Paint,
): readonly string[] {
  const width = measureColumn(rows.map(({ name }) => name))
  return rows.flatMap((row, at) => {
    const { name, sign, change, note } = row
    const colour = sign === '+' ? 'green' : sign === '-' ? 'red' : 'yellow'
    const notes = [row.default && 'default', note].filter(Boolean)
    const end = notes.length === 0 ? '' : `  (${notes.join(', ')})`
    return [
      ...formatFile(row, rows.slice(0, at), paint),
      `${formatLine(row, paint)} ${paint(colour, sign)} ${name.padEnd(width)}  ${formatPhrase(change)}${end}`,
    ]
  })
}

/** Formats volumes in columns, below the fields of the same step. */
export function formatVolumeTable(
  rows: readonly VolumeRow[],
  above: readonly FieldTableRow[],
  paint: Paint,
): readonly string[] {
  if (rows.length === 0) return []
  const texts = rows.map(row => [
    row.component,
    ...[row.size, row.storageClass, row.labels].map(formatPhrase),
  ])
  const head = ['volumes', 'size', 'class', 'labels']
  const widths = head.map((_, at) => measureColumn([head, ...texts].map(cells => cells[at] ?? '')))
  const join = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === head.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  return [
    `        ${paint('dim', join(head))}`,
    ...rows.flatMap((row, at) => [
      ...formatFile(row, [...above, ...rows.slice(0, at)], paint),
      `${formatLine(row, paint)} ${paint('green', '+')} ${join(texts[at] ?? [])}`,
    ]),
  ]
}

type Located = Pick<FieldTableRow, 'file' | 'line' | 'default'>

/** Names the file of the rows below, if it differs from that of the rows above. */
function formatFile(row: Located, above: readonly Located[], paint: Paint): readonly string[] {
  const last = above.findLast(one => !one.default)
  return row.default || row.file === last?.file ? [] : [paint('dim', `      in ${row.file}:`)]
}

/** Formats the line in the manifest; defaults have no line. */
function formatLine({ line, default: isDefault }: Located, paint: Paint): string {
  return isDefault ? ' '.repeat(5) : paint('dim', String(line).padStart(5))
}

/** Formats a section for people. */
export function formatSection({ title, tone, lead, rows }: Section, paint: Paint): readonly string[] {
  const lines = rows.map(({ sign, cells }) => ({ sign, texts: cells.map(formatPhrase) }))
  const width = Math.min(44, Math.max(0, ...lines.map(({ texts: [first = ''] }) => first.length)))
  return [
    `${paint('bold', title)}: ${paint(toneColours[tone], formatPhrase(lead))}`,
    // No line begins with untrusted text, because CI runners parse commands there.
    ...lines.map(
      ({ sign, texts: [first = '', ...rest] }) =>
        `  ${paint(resultColours[sign], sign)} ${[first.padEnd(width), ...rest].join('  ')}`,
    ),
    '',
  ]
}

const toneColours = { good: 'green', bad: 'red' } as const satisfies Record<Section['tone'], string>
const resultColours = { '+': 'green', '-': 'red', '!': 'yellow', '?': 'dim' } as const satisfies Record<
  SectionRow['sign'],
  string
>

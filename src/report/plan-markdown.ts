import {
  type Action,
  countCoverage,
  hasChanges,
  listBlockingEdits,
  type Plan,
  summarizePlan,
} from '../plan/plan.js'
import { buildPlanDocument } from '../plan/saved/plan-document.js'
import { formatDotted } from '../schema/pointer.js'
import { buildFieldRow, buildFieldRows, buildLeftRow, type FieldTableRow } from './field-rows.js'
import { formatCoverage, formatStatusBlocks } from './field-status.js'
import { type Block, fitBlocks, formatCodeSpan, formatMarkdownPhrase, formatMarker } from './markdown.js'
import { type Section, words } from './phrase.js'
import type { PlanView } from './plan-text.js'
import {
  assertWords,
  buildKeptPhrase,
  buildSitePhrase,
  buildUncheckedPhrase,
  buildValidityPhrase,
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

/** Formats a plan for a pull request. The first line depends only on the name of the site, so later runs find the comment. */
export function formatPlanMarkdown(plan: Plan, view: PlanView = {}): string {
  const statuses = formatStatusBlocks(plan.fields, 3)
  return fitBlocks([formatMarker('plan', plan.name), ...formatPlanBlocks(plan, view, statuses)])
}

/** Formats a plan as one section of a text about several sites: fields without a change are only counted. */
export function formatPlanSection(plan: Plan, view: PlanView = {}): string {
  return fitBlocks(formatPlanBlocks(plan, view, [])).trimEnd()
}

function formatPlanBlocks(
  plan: Plan,
  { sections = [], unchecked = [], adopt }: PlanView,
  statuses: readonly Block[],
): readonly Block[] {
  const { id } = buildPlanDocument(plan)
  const coverage = formatCoverage(plan.fields)
  return [
    `### Plan for ${formatCodeSpan(plan.name)}: ${describeDecision(plan)}`,
    `**${formatPlanCounts(plan)}.** ${formatMarkdownPhrase(buildSitePhrase(plan))} ${formatCodeSpan(plan.url)}`,
    ...formatUnrecorded(plan, adopt),
    ...formatIrreversible(plan),
    ...formatEdits(plan, adopt),
    ...plan.actions.flatMap(formatStep),
    ...formatLeft(plan, adopt),
    ...sections.flatMap(formatSectionBlock),
    ...(unchecked.length > 0 ? [formatMarkdownPhrase(buildUncheckedPhrase(unchecked))] : []),
    ...(coverage === undefined ? [] : [coverage, ...statuses]),
    `Plan ${formatCodeSpan(id)}, made by ${formatCodeSpan(plan.binds.tool)}, ${formatMarkdownPhrase(buildValidityPhrase(plan))}.`,
  ]
}

function formatUnrecorded({ fields }: Plan, adopt: string | undefined): readonly Block[] {
  const coverage = countCoverage(fields)
  if (coverage.unrecorded === 0) return []
  const steps = adopt === undefined ? [] : ['>', ...suggestRecord(adopt).map(step => `> - ${step}`)]
  return [['> [!WARNING]', `> ${describeUnrecorded(coverage)}.`, ...steps].join('\n')]
}

function formatLeft(plan: Plan, adopt = ''): readonly Block[] {
  const columns = ['', 'Field', 'Before', 'After', 'Where']
  return listLeft(plan, adopt).flatMap(({ title, fields, steps }) => [
    `#### ${title}`,
    { columns, rows: fields.map(field => formatCells(buildLeftRow(field))), rank: 0 },
    ...(adopt === '' ? [] : [steps.map(step => `- ${step}`).join('\n')]),
  ])
}

function formatIrreversible(plan: Plan): readonly Block[] {
  return listIrreversible(plan).map(({ title, things, hint }) =>
    [
      '> [!WARNING]',
      `> ${title}:`,
      '>',
      ...things.map(({ what, pointer }) => `> - ${what} (${formatCodeSpan(formatDotted(pointer))})`),
      ...(hint === undefined ? [] : ['>', `> ${hint}`]),
    ].join('\n'),
  )
}

function formatEdits(plan: Plan, adopt: string | undefined): readonly Block[] {
  const { immutable } = plan
  if (immutable.length === 0) return []
  const blocking = listBlockingEdits(plan)
  const assert = formatAssertCommand(adopt, plan)
  const columns = ['', 'Edit of an immutable field', 'Applied', 'Manifest', 'Where', 'Why', '']
  const rows = immutable.map(edit => [
    ...formatCells(buildFieldRow(edit)),
    describeEdit(edit),
    edit.ignored ? 'ignored' : '**blocks the apply**',
  ])
  const caution = [
    '> [!CAUTION]',
    '> This plan cannot be applied. Revert the blocking edits in the manifest, or ignore them with',
    '>',
    `> ${formatCodeSpan(formatIgnoreOptions(blocking))}`,
    ...(assert === undefined ? [] : ['>', `> ${assertWords}:`, '>', `> ${formatCodeSpan(assert)}`]),
  ]
  return [...(blocking.length === 0 ? [] : [caution.join('\n')]), { columns, rows, rank: 0 }]
}

function formatStep(action: Action): readonly Block[] {
  const rows = buildFieldRows(action.fields)
  const kept = buildKeptPhrase(action)
  // An empty column is omitted.
  const isNew = rows.every(({ before }) => before === undefined)
  const columns = ['', 'Field', ...(isNew ? ['Value'] : ['Before', 'After']), 'Where']
  return [
    `#### ${formatCodeSpan(action.operation)}: ${reasonWords[action.reason]}`,
    ...(rows.length === 0
      ? []
      : [
          {
            columns,
            rows: rows.map(row => (isNew ? formatCells(row).toSpliced(2, 1) : formatCells(row))),
            rank: 1,
          },
        ]),
    ...(kept === undefined ? [] : [formatMarkdownPhrase(kept)]),
  ]
}

function formatSectionBlock({ title, lead, columns, rows }: Section): readonly Block[] {
  const lines = rows.map(({ sign, cells }) => [formatCodeSpan(sign), ...cells.map(formatMarkdownPhrase)])
  return [`#### ${title}: ${formatMarkdownPhrase(lead)}`, { columns: ['', ...columns], rows: lines, rank: 2 }]
}

function formatCells({
  sign,
  name,
  before = words(''),
  after = words(''),
  place,
}: FieldTableRow): readonly string[] {
  return [
    formatCodeSpan(sign),
    formatCodeSpan(name),
    formatMarkdownPhrase(before),
    formatMarkdownPhrase(after),
    formatCodeSpan(place),
  ]
}

/** Formats the outputs of a plan for later steps of a GitHub workflow, as lines `name=value`, without untrusted text. */
export function formatPlanOutputs(plan: Plan, exitCode: number): string {
  const { create, update, resume, noOp } = summarizePlan(plan)
  const outputs = {
    changes: hasChanges(plan),
    blocked: listBlockingEdits(plan).length > 0,
    create,
    update,
    resume,
    'no-op': noOp,
    'plan-id': buildPlanDocument(plan).id,
    exitcode: exitCode,
  }
  return Object.entries(outputs)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/**
 * Builds the counts that GitLab shows in a merge request as the report `terraform`: it requires these three keys and
 * reads no other (lib/gitlab/ci/parsers/terraform/tfplan.rb). A plan deletes nothing.
 */
export function buildGitlabCounts(plan: Plan) {
  const { create, update } = summarizePlan(plan)
  return { create, update, delete: 0 } as const
}

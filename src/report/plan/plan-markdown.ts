import { dotted } from '../../diagnostics/pointer.js'
import { type Action, blockingEdits, type Plan } from '../../plan/plan.js'
import { planDocument } from '../../plan/saved/plan-document.js'
import { coverageText } from '../fields/coverage-text.js'
import { type FieldRow, rowOf, rowsOf } from '../fields/field-rows.js'
import { verdictRows, verdictWords } from '../fields/verdict-text.js'
import { type Block, codeSpan, fitted, markdownPhrase, marker } from '../markdown.js'
import { words } from '../phrase.js'
import type { Section } from '../section.js'
import { ignoreWords } from './ignore-words.js'
import type { PlanView } from './plan-text.js'
import {
  countWords,
  decisionWords,
  editWords,
  irreversibleIn,
  keptPhrase,
  reasonWords,
  sitePhrase,
  usePhrase,
} from './plan-words.js'

/** Formats a plan for a pull request. The first line is the same for every plan of one name, to find the comment again. */
export function planMarkdown(plan: Plan, { sections = [] }: PlanView = {}): string {
  const { id } = planDocument(plan)
  const blocks: readonly Block[] = [
    marker('plan', plan.name),
    `### Plan for ${codeSpan(plan.name)}: ${decisionWords(plan)}`,
    `**${countWords(plan)}.** ${markdownPhrase(sitePhrase(plan))} ${codeSpan(plan.url)}`,
    ...irreversible(plan),
    ...edits(plan),
    ...plan.actions.flatMap(step),
    ...sections.flatMap(found),
    ...verdicts(plan),
    `Plan ${codeSpan(id)}, made by ${codeSpan(plan.binds.tool)}, ${markdownPhrase(usePhrase(plan))}.`,
  ]
  return fitted(blocks)
}

function irreversible(plan: Plan): readonly Block[] {
  return irreversibleIn(plan).map(({ title, things, hint }) =>
    [
      '> [!WARNING]',
      `> ${title}:`,
      '>',
      ...things.map(({ what, pointer }) => `> - ${what} (${codeSpan(dotted(pointer))})`),
      ...(hint === undefined ? [] : ['>', `> ${hint}`]),
    ].join('\n'),
  )
}

function edits(plan: Plan): readonly Block[] {
  const { immutable } = plan
  if (immutable.length === 0) return []
  const blocking = blockingEdits(plan)
  const columns = ['', 'Edit of an immutable field', 'Applied', 'Manifest', 'Where', 'Why', '']
  const rows = immutable.map(edit => [
    ...cells(rowOf(edit)),
    editWords[edit.because],
    edit.ignored ? 'ignored' : '**blocks the apply**',
  ])
  const caution = [
    '> [!CAUTION]',
    '> This plan cannot be applied. Revert the blocking edits in the manifest, or keep the site as it is with',
    '>',
    `> ${codeSpan(ignoreWords(blocking))}`,
  ]
  return [...(blocking.length === 0 ? [] : [caution.join('\n')]), { columns, rows, rank: 0 }]
}

function step(action: Action): readonly Block[] {
  const rows = 'fields' in action ? rowsOf(action.fields) : []
  const kept = keptPhrase(action)
  // An empty column is omitted.
  const isNew = rows.every(({ before }) => before === undefined)
  const columns = ['', 'Field', ...(isNew ? ['Value'] : ['Before', 'After']), 'Where']
  return [
    `#### ${codeSpan(action.operation)}: ${reasonWords[action.reason]}`,
    ...(rows.length === 0
      ? []
      : [{ columns, rows: rows.map(row => (isNew ? cells(row).toSpliced(2, 1) : cells(row))), rank: 1 }]),
    ...(kept === undefined ? [] : [markdownPhrase(kept)]),
  ]
}

function found({ title, lead, columns, rows }: Section): readonly Block[] {
  const lines = rows.map(({ sign, cells }) => [codeSpan(sign), ...cells.map(markdownPhrase)])
  return [`#### ${title}: ${markdownPhrase(lead)}`, { columns: ['', ...columns], rows: lines, rank: 2 }]
}

function cells({ sign, name, before = words(''), after = words(''), place }: FieldRow): readonly string[] {
  return [codeSpan(sign), codeSpan(name), markdownPhrase(before), markdownPhrase(after), codeSpan(place)]
}

function verdicts(plan: Plan): readonly Block[] {
  const coverage = coverageText(plan.fields)
  if (coverage === undefined) return []
  const rows = verdictRows(plan.fields).map(({ name, verdict, value, reason, place }) => [
    codeSpan(name),
    verdictWords[verdict],
    markdownPhrase(value),
    markdownPhrase(reason),
    codeSpan(place),
  ])
  return [
    coverage,
    '<details><summary>Field status</summary>',
    { columns: ['Field', 'Status', 'Manifest', 'Why', 'Where'], rows, rank: 3 },
    '</details>',
  ]
}

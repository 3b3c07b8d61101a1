import type { Drift, DriftField } from '../../plan/drift/drift.js'
import { buildStatusRows, type FieldStatusRow, statusWords } from '../fields/status-text.js'
import { type Block, fitBlocks, formatCodeSpan, formatMarkdownPhrase, formatMarker } from '../markdown.js'
import { causeWords, summarizeDrift } from './drift-words.js'

/** Formats a drift for an issue or a pull request: differences first, then the status of every field. */
export function formatDriftMarkdown(drift: Drift): string {
  const { name, url, version, fields, unmanaged } = drift
  const differing = fields.filter(({ verdict }) => verdict === 'different')
  const blocks: readonly Block[] = [
    formatMarker('drift', name),
    `### Drift of ${formatCodeSpan(name)}`,
    `**${summarizeDrift(drift)}** The site ${formatCodeSpan(url)} is ready${version === null ? '' : `, version ${formatCodeSpan(version)}`}.`,
    ...(differing.length === 0 ? [] : [formatDifferences(differing)]),
    ...(unmanaged.length === 0
      ? []
      : [
          {
            columns: ['On the site, and not managed by this manifest'],
            rows: unmanaged.map(one => [formatCodeSpan(one.name)]),
            rank: 1,
          },
        ]),
    '<details><summary>Field status</summary>',
    {
      columns: ['Field', 'Status', 'Manifest', 'Why', 'Where'],
      rows: buildStatusRows(fields).map(row => formatCells(row, statusWords[row.status])),
      rank: 2,
    },
    '</details>',
    `Compared at ${formatCodeSpan(drift.checkedAt)}.`,
  ]
  return fitBlocks(blocks)
}

function formatDifferences(fields: readonly DriftField[]): Block {
  const rows = buildStatusRows(fields).map((row, at) =>
    formatCells(row, causeWords[fields[at]?.cause ?? 'not-recorded']),
  )
  return { columns: ['Different field', 'Cause', 'Manifest', 'Instead', 'Where'], rows, rank: 0 }
}

function formatCells({ name, value, reason, place }: FieldStatusRow, second: string): readonly string[] {
  return [
    formatCodeSpan(name),
    second,
    formatMarkdownPhrase(value),
    formatMarkdownPhrase(reason),
    formatCodeSpan(place),
  ]
}

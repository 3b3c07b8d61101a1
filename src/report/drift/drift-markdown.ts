import type { Drift, DriftField } from '../../plan/drift/drift.js'
import { type VerdictRow, verdictRows, verdictWords } from '../fields/verdict-text.js'
import { type Block, codeSpan, fitted, markdownPhrase, marker } from '../markdown.js'
import { causeWords, driftSentence } from './drift-words.js'

/** Formats a drift for an issue or a pull request: differences first, then the status of every field. */
export function driftMarkdown(drift: Drift): string {
  const { name, url, version, fields, unmanaged } = drift
  const differing = fields.filter(({ verdict }) => verdict === 'different')
  const blocks: readonly Block[] = [
    marker('drift', name),
    `### Drift of ${codeSpan(name)}`,
    `**${driftSentence(drift)}** The site ${codeSpan(url)} is ready${version === null ? '' : `, version ${codeSpan(version)}`}.`,
    ...(differing.length === 0 ? [] : [differences(differing)]),
    ...(unmanaged.length === 0
      ? []
      : [
          {
            columns: ['On the site, and not managed by this manifest'],
            rows: unmanaged.map(one => [codeSpan(one.name)]),
            rank: 1,
          },
        ]),
    '<details><summary>Field status</summary>',
    {
      columns: ['Field', 'Status', 'Manifest', 'Why', 'Where'],
      rows: verdictRows(fields).map(row => cells(row, verdictWords[row.verdict])),
      rank: 2,
    },
    '</details>',
    `Compared at ${codeSpan(drift.checkedAt)}.`,
  ]
  return fitted(blocks)
}

function differences(fields: readonly DriftField[]): Block {
  const rows = verdictRows(fields).map((row, at) =>
    cells(row, causeWords[fields[at]?.cause ?? 'not-recorded']),
  )
  return { columns: ['Different field', 'Cause', 'Manifest', 'Instead', 'Where'], rows, rank: 0 }
}

function cells({ name, value, reason, place }: VerdictRow, second: string): readonly string[] {
  return [codeSpan(name), second, markdownPhrase(value), markdownPhrase(reason), codeSpan(place)]
}

import { type Reading, readings } from '../../src/contract/readings.js'
import { formatDotted } from '../../src/schema/pointer.js'
import { formatCode, formatNotice, formatTable } from './markdown.js'

/** Builds `docs/reference/readings.md`: every resource that Landform reads, with the answer that a public page shows. */
export function buildReadingsPage(): string {
  const rows = Object.entries(readings)
  return [
    formatNotice('src/contract/readings.ts'),
    '',
    '# What is read from a site',
    '',
    'Each reading is a GET below the base URL, with `f=json`. If a site lacks a resource, or answers in another structure,',
    'the field is unknown, and the run continues. *Reads* is the path to the value in the answer. `plan` and `drift`',
    'compare the field of the manifest with it; `adopt` writes it into the manifest. `test/client/readings.test.ts` reads',
    'each answer below, and checks that the emulator with field fidelity answers in the same structure.',
    '',
    ...formatTable(
      ['reading', 'resource', 'versions', 'reads', 'field', 'source'],
      rows.map(([name, row]) => [
        name,
        formatResource(row),
        `${row.since}${row.until === undefined ? ' on' : `, replaced in ${row.until}`}`,
        row.value.length === 0 ? 'the whole answer' : formatCode(row.value.join('.')),
        row.field === undefined ? '' : formatCode(formatDotted(row.field)),
        row.source,
      ]),
    ),
    '',
    ...rows.flatMap(([name, { printed }]) => [
      `## ${name}`,
      '',
      ...(printed === null
        ? ['No public page shows an answer.']
        : ['```json', JSON.stringify(printed, null, 2), '```']),
      '',
    ]),
  ].join('\n')
}

function formatResource({ path, query }: Reading): string {
  return path === '' ? 'the base URL' : formatCode(`${path}${query === undefined ? '' : `?${query}`}`)
}

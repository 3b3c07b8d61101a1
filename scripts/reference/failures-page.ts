import type { Cell, FaultRow } from './fault-row.js'
import { faultTable } from './fault-table.js'
import { formatNotice, formatTable } from './markdown.js'

/** Builds `docs/reference/failures.md`: every fault and its required outcome. */
export function buildFailuresPage(): string {
  const places = [...new Set(faultTable.map(({ where }) => where))]
  return [
    formatNotice('scripts/reference/fault-table.ts'),
    '',
    '# When things go wrong',
    '',
    'Each fault, the required behaviour of Landform, and the way in which a test injects it: `npm run verify -- faults --full`',
    'runs every line over real sockets and files, and each line a second time afterwards. *Journal* is the recorded state of',
    '`configure` at the end. In all of them `configure` is accepted at most once.',
    '',
    ...places.flatMap(where => [
      `## ${titles[where]}`,
      '',
      ...faultTable.filter(row => row.where === where).flatMap(formatFault),
    ]),
  ].join('\n')
}

const titles: Readonly<Record<FaultRow['where'], string>> = {
  before: 'Before anything is sent',
  connecting: 'While connecting',
  'under way': 'While configure is in progress',
  'answer lost': 'After it was carried out, with its response lost',
  polling: 'While polling the site',
  'other operations': 'In the other operations',
  after: 'Afterwards',
  'several runs': 'With several runs, sites or versions',
}

const columns = ['command', 'injected fault', 'exit code', 'journal', 'second run']

function formatFault({ id, fault, answer, cells, elsewhere }: FaultRow): readonly string[] {
  return [
    `### ${id}: ${fault}`,
    '',
    `${answer}.${elsewhere === undefined ? '' : ` *${elsewhere}*`}`,
    '',
    ...(cells.length === 0 ? [] : [...formatTable(columns, cells.map(formatCell)), '']),
  ]
}

function formatCell({ operation, by, faults = [], exitCode, journal, again = 0 }: Cell): readonly string[] {
  const words = [...(typeof by === 'string' ? [by] : by.map(formatFaultCode)), ...faults.map(formatFaultCode)]
  const how = words.length === 0 ? 'no fault' : words.join(', ')
  return [operation, how, `${exitCode}`, journal, `${again}`]
}

function formatFaultCode(fault: string): string {
  return `\`${JSON.stringify(fault).slice(1, -1)}\``
}

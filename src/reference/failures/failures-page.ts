import { notice, table } from '../markdown.js'
import type { Cell, FaultRow } from './fault-row.js'
import { faultTable } from './table.js'

/** Every fault with what must come of it: the content of `docs/reference/failures.md`. */
export function failuresPage(): string {
  const places = [...new Set(faultTable.map(({ where }) => where))]
  return [
    notice('src/reference/failures/table.ts'),
    '',
    '# When things go wrong',
    '',
    'Each fault, what Landform must do about it, and how a test makes it happen: `npm run verify -- faults --full` runs every',
    'line over real sockets and files, and each line once more afterwards. *Journal* is how far the state then says that',
    '`configure` came. In all of them `configure` is accepted once at most.',
    '',
    ...places.flatMap(where => [
      `## ${titles[where]}`,
      '',
      ...faultTable.filter(row => row.where === where).flatMap(sectionOf),
    ]),
  ].join('\n')
}

const titles: Readonly<Record<FaultRow['where'], string>> = {
  before: 'Before anything is sent',
  connecting: 'While connecting',
  'under way': 'While configure is under way',
  'answer lost': 'After it was carried out, with its answer lost',
  looking: 'While looking at the site',
  'other operations': 'In the other operations',
  after: 'Afterwards',
  'several runs': 'With several runs, sites or versions',
}

const columns = ['command', 'how it happens', 'exit code', 'journal', 'once more']

function sectionOf({ id, fault, answer, cells, elsewhere }: FaultRow): readonly string[] {
  return [
    `### ${id}: ${fault}`,
    '',
    `${answer}.${elsewhere === undefined ? '' : ` *${elsewhere}*`}`,
    '',
    ...(cells.length === 0 ? [] : [...table(columns, cells.map(rowOf)), '']),
  ]
}

function rowOf({ operation, by, faults = [], exitCode, journal, again = 0 }: Cell): readonly string[] {
  const words = [...(typeof by === 'string' ? [by] : by.map(code)), ...faults.map(code)]
  const how = words.length === 0 ? 'nothing goes wrong' : words.join(', ')
  return [operation, how, `${exitCode}`, journal, `${again}`]
}

function code(fault: string): string {
  return `\`${JSON.stringify(fault).slice(1, -1)}\``
}

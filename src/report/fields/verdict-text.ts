import type { FieldVerdict, Verdict } from '../../plan/fields/verdict.js'
import type { Paint } from '../paint.js'
import { formatPhrase } from '../phrase.js'
import { type VerdictRow, verdictRows, verdictWords } from './verdict-rows.js'

const signs: Readonly<Record<Verdict, string>> = {
  equal: '=',
  different: '~',
  recorded: '.',
  unknowable: '?',
}
const colours = { equal: 'green', different: 'yellow', recorded: 'cyan', unknowable: 'dim' } as const

/** The sign of a verdict and words after it, in its colour. */
export function markOf(verdict: Verdict, paint: Paint, words = ''): string {
  return paint(colours[verdict], `${signs[verdict]}${words}`)
}

/** What is known of each field, one a line. */
export function formatVerdicts(fields: readonly FieldVerdict[], paint: Paint): readonly string[] {
  if (fields.length === 0) return []
  const rows = verdictRows(fields)
  const width = Math.min(44, Math.max(...rows.map(({ name }) => name.length)))
  return ['What is known of each field:', ...rows.map(row => line(row, width, paint)), '']
}

function line({ name, verdict, value, reason, place }: VerdictRow, width: number, paint: Paint): string {
  const mark = markOf(verdict, paint, ` ${verdictWords[verdict].padEnd(13)}`)
  return `  ${mark} ${name.padEnd(width)}  ${formatPhrase(value)}  ${paint('dim', `${formatPhrase(reason)}  ${place}`)}`
}

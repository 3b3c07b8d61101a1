import type { FieldTableRow } from './fields/field-rows.js'
import type { Paint } from './paint.js'
import { formatPhrase } from './phrase.js'

/** Formats the fields of a step: a sign, the name, the values before and after, and the place in the manifest. */
export function formatFieldTable(
  rows: readonly (FieldTableRow & { readonly note?: string })[],
  paint: Paint,
): readonly string[] {
  const width = Math.min(44, Math.max(0, ...rows.map(({ name }) => name.length)))
  return rows.map(({ name, sign, change, place, note }) => {
    const colour = sign === '+' ? 'green' : sign === '-' ? 'red' : 'yellow'
    const end = note === undefined ? '' : `  (${note})`
    return `      ${paint(colour, sign)} ${name.padEnd(width)}  ${formatPhrase(change)}  ${paint('dim', place)}${end}`
  })
}

import type { Paint } from './paint.js'
import { formatPhrase } from './phrase.js'
import type { Section } from './section.js'

/** A section for people. */
export function formatSection({ title, lead, rows }: Section, paint: Paint): readonly string[] {
  return [
    paint('bold', title),
    `  ${formatPhrase(lead)}`,
    // Never a text of others at the beginning of a line, where a runner looks for commands.
    ...rows.map(row => `    - ${row.map(formatPhrase).join('  ')}`),
    '',
  ]
}

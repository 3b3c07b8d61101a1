import { codeFrameColumns } from '@babel/code-frame'
import type { Diagnostic, Place } from '../diagnostics/diagnostic.js'
import { display, displayLine } from './display.js'
import type { Paint } from './paint.js'

/** The lines of a file without its secrets, for showing some; `undefined` where none may be shown. */
export type LinesOf = (file: string) => readonly string[] | undefined

/** Diagnostics for people: place, code and sentence on the first line, then the lines of the file, then the help. */
export function formatDiagnostics(
  diagnostics: readonly Diagnostic[],
  linesOf: LinesOf,
  paint: Paint,
): string {
  const shown = diagnostics.slice(0, most).map(diagnostic => formatOne(diagnostic, linesOf, paint))
  const rest = diagnostics.length - shown.length
  return [...shown, ...(rest > 0 ? [`… and ${rest} more\n`] : [])].join('\n')
}

function formatOne(
  { code, severity, message, place, help }: Diagnostic,
  linesOf: LinesOf,
  paint: Paint,
): string {
  const colour = severity === 'error' ? 'red' : 'yellow'
  const where =
    place === undefined ? '' : `${display(place.file)}:${place.start.line}:${place.start.column}  `
  const head = `${paint('bold', where)}${paint(colour, severity)}  ${display(message)}  ${paint('dim', code)}`
  const lines = place === undefined ? undefined : linesOf(place.file)
  return [
    head,
    ...(place === undefined || lines === undefined ? [] : [frame(lines, place)]),
    ...(help === undefined ? [] : [`  ${paint('cyan', 'help')}: ${display(help)}`]),
    '',
  ].join('\n')
}

/** Longer lines are cut: a terminal would scroll the message away. */
const widest = 120
const above = 2
const below = 1

/** More than that nobody reads; the machine formats have them all. */
const most = 100

/** The marked line with two before and one after. Ranges over several lines are marked where they begin. */
function frame(lines: readonly string[], { start, end }: Place): string {
  // Only the lines that are shown are made ready: a file may have very many, and very many mistakes.
  const first = Math.max(0, start.line - 1 - above)
  const shown = lines.slice(first, start.line + below).map(line => displayLine(line.slice(0, widest)))
  const within = ({ line, column }: Place['start']) => ({ line, column: Math.min(column, widest) })
  const last = start.line === end.line && end.column > start.column ? { end: within(end) } : {}
  const options = { linesAbove: above, linesBelow: below, startLine: first + 1 }
  return codeFrameColumns(shown.join('\n'), { start: within(start), ...last }, options)
}

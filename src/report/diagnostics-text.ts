import { codeFrameColumns } from '@babel/code-frame'
import type { Diagnostic, Place } from '../diagnostics/diagnostic.js'
import { display, displayLine } from './display.js'
import type { Paint } from './paint.js'

/** The text of a file without its secrets, for showing lines of it; `undefined` where none may be shown. */
export type TextOf = (file: string) => string | undefined

/** Diagnostics for people: place, code and sentence on the first line, then the lines of the file, then the help. */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], textOf: TextOf, paint: Paint): string {
  return diagnostics.map(diagnostic => formatOne(diagnostic, textOf, paint)).join('\n')
}

/** How many errors and warnings in how many files, in one line. */
export function formatSummary(files: number, diagnostics: readonly Diagnostic[]): string {
  const count = (severity: Diagnostic['severity']) =>
    diagnostics.filter(one => one.severity === severity).length
  return `${several(files, 'file')}, ${several(count('error'), 'error')}, ${several(count('warning'), 'warning')}`
}

function formatOne(
  { code, severity, message, place, help }: Diagnostic,
  textOf: TextOf,
  paint: Paint,
): string {
  const colour = severity === 'error' ? 'red' : 'yellow'
  const where =
    place === undefined ? '' : `${display(place.file)}:${place.start.line}:${place.start.column}  `
  const head = `${paint('bold', where)}${paint(colour, severity)}  ${display(message)}  ${paint('dim', code)}`
  const text = place === undefined ? undefined : textOf(place.file)
  return [
    head,
    ...(place === undefined || text === undefined ? [] : [frame(text, place)]),
    ...(help === undefined ? [] : [`  ${paint('cyan', 'help')}: ${display(help)}`]),
    '',
  ].join('\n')
}

/** The marked line with two before and one after. Ranges over several lines are marked where they begin. */
function frame(text: string, { start, end }: Place): string {
  const lines = text.split('\n').map(line => displayLine(line.replace(/\r$/, '')).slice(0, 160))
  const last = start.line === end.line && end.column > start.column ? { end } : {}
  return codeFrameColumns(lines.join('\n'), { start, ...last }, { linesAbove: 2, linesBelow: 1 })
}

function several(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

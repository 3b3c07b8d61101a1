import { catalog } from '../../diagnostics/catalog.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Place } from '../../diagnostics/place.js'
import { display } from '../display.js'
import type { Paint } from '../paint.js'
import { codeFrame } from './code-frame.js'

/** The lines of a file without its secrets, for showing some; `undefined` where none may be shown. */
export type LinesOf = (file: string) => readonly string[] | undefined

/** The colour of each severity. */
export const severityColours = { error: 'red', warning: 'yellow', note: 'cyan' } as const

/** How diagnostics are shown to people. */
export interface DiagnosticsView {
  readonly linesOf: LinesOf
  readonly paint: Paint
  /** More than that are only counted; the machine formats have them all. */
  readonly mostShown?: number
}

/** More than that nobody reads. */
const mostRead = 100

/** Diagnostics for people: place, code and sentence on the first line, then the lines of the file, then the help. */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], view: DiagnosticsView): string {
  const shown = diagnostics
    .slice(0, view.mostShown ?? mostRead)
    .map(diagnostic => formatOne(diagnostic, view))
  const rest = diagnostics.length - shown.length
  return [...shown, ...(rest > 0 ? [`… and ${rest} more\n`] : [])].join('\n')
}

function formatOne(diagnostic: Diagnostic, { linesOf, paint }: DiagnosticsView): string {
  const { code, severity, message, place, help, related = [] } = diagnostic
  const { source } = catalog[code]
  const colour = severityColours[severity]
  const where = place === undefined ? '' : `${startOf(place)}  `
  const note = (name: string, text: string) => `  ${paint('cyan', name)}: ${text}`
  const head = `${paint('bold', where)}${paint(colour, severity)}  ${display(message)}  ${paint('dim', code)}`
  const lines = place === undefined ? undefined : linesOf(place.file)
  return [
    head,
    ...(place === undefined || lines === undefined ? [] : [codeFrame(lines, place)]),
    ...(help === undefined ? [] : [note('help', display(help))]),
    ...(showsSource(severity, source) ? [note('source', display(source))] : []),
    ...related.map(({ message, place }) => note('note', `${display(message)} (${startOf(place)})`)),
    '',
  ].join('\n')
}

/** Whether people are told the source: a warning that the service document does not bear out is theirs to weigh. */
export function showsSource(severity: Diagnostic['severity'], source: string): boolean {
  return severity === 'warning' && /^(Reported:|Kubernetes)/.test(source)
}

/** A file name may begin a line, and GitHub obeys what begins with two colons: `./` names the same file. */
function startOf({ file, start }: Place): string {
  return `${display(file.replace(/^(?=\s*::)/, './'))}:${start.line}:${start.column}`
}

import { catalog } from '../../diagnostics/catalog.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Place } from '../../diagnostics/place.js'
import { display } from '../display.js'
import type { Paint } from '../paint.js'
import { formatCodeFrame } from './code-frame.js'

/** Returns the lines of a file with its secrets redacted; `undefined` if none may be shown. */
export type ReadLines = (file: string) => readonly string[] | undefined

/** The colour of each severity. */
export const severityColours = { error: 'red', warning: 'yellow', note: 'cyan' } as const

/** Options for showing diagnostics to people. */
export interface DiagnosticsView {
  readonly readLines: ReadLines
  readonly paint: Paint
  /** Further diagnostics are only counted; the machine formats have them all. */
  readonly maxShown?: number
}

/** Longer output is not read. */
const defaultMaxShown = 100

/** Formats diagnostics for people: place, message and code first, then the lines of the file, then the help. */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], view: DiagnosticsView): string {
  const shown = diagnostics
    .slice(0, view.maxShown ?? defaultMaxShown)
    .map(diagnostic => formatDiagnostic(diagnostic, view))
  const rest = diagnostics.length - shown.length
  return [...shown, ...(rest > 0 ? [`… and ${rest} more\n`] : [])].join('\n')
}

function formatDiagnostic(diagnostic: Diagnostic, { readLines, paint }: DiagnosticsView): string {
  const { code, severity, message, place, help, related = [] } = diagnostic
  const { source } = catalog[code]
  const colour = severityColours[severity]
  const where = place === undefined ? '' : `${formatStart(place)}  `
  const note = (name: string, text: string) => `  ${paint('cyan', name)}: ${text}`
  const head = `${paint('bold', where)}${paint(colour, severity)}  ${display(message)}  ${paint('dim', code)}`
  const lines = place === undefined ? undefined : readLines(place.file)
  return [
    head,
    ...(place === undefined || lines === undefined ? [] : [formatCodeFrame(lines, place)]),
    ...(help === undefined ? [] : [note('help', display(help))]),
    ...(showsSource(severity, source) ? [note('source', display(source))] : []),
    ...related.map(({ message, place }) => note('note', `${display(message)} (${formatStart(place)})`)),
    '',
  ].join('\n')
}

/** True if the source is shown: readers must judge a warning that the service document does not support. */
export function showsSource(severity: Diagnostic['severity'], source: string): boolean {
  return severity === 'warning' && /^(Reported:|Kubernetes)/.test(source)
}

/** Formats the start of a place. GitHub runs a line that begins with two colons; `./` names the same file. */
function formatStart({ file, start }: Place): string {
  return `${display(file.replace(/^(?=\s*::)/, './'))}:${start.line}:${start.column}`
}

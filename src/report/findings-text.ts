import { catalog, type Diagnostic } from '../diagnostics/diagnostic.js'
import type { Place } from '../diagnostics/place.js'
import { formatDotted, splitPointer } from '../schema/pointer.js'
import { display, displayLine } from './display.js'
import { countSeverity, type Findings, type VersionFindings } from './findings.js'
import { formatNumber } from './phrase.js'
import { clipText, defaultColumns, type Paint } from './terminal.js'

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

/** People do not read longer output. */
const defaultMaxShown = 100

/** Formats diagnostics for people: place, message and code first, then the lines of the file, then the help. */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], view: DiagnosticsView): string {
  const listed = diagnostics.slice(0, view.maxShown ?? defaultMaxShown)
  const shown = groupSiblings(listed).map(same => formatDiagnostic(same, view))
  const rest = diagnostics.length - listed.length
  return [...shown, ...(rest > 0 ? [`… and ${rest} more\n`] : [])].join('\n')
}

type Siblings = readonly [Diagnostic, ...Diagnostic[]]

/** Groups diagnostics with the same message for different fields of one section, such as each volume. */
function groupSiblings(diagnostics: readonly Diagnostic[]): readonly Siblings[] {
  const groups = new Map<string, [Diagnostic, ...Diagnostic[]]>()
  for (const [at, diagnostic] of diagnostics.entries()) {
    const { code, severity, message, help, pointer, place, related } = diagnostic
    const segments = splitPointer(pointer)
    const same = message.replaceAll(/`([^`]*)`/g, (quoted, word) => (segments.includes(word) ? '' : quoted))
    const key =
      place === undefined || segments.length < 3
        ? String(at)
        : JSON.stringify([code, severity, same, help, segments.slice(0, 2), place.file, related])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [diagnostic])
    else group.push(diagnostic)
  }
  return [...groups.values()]
}

/** Names the field of a diagnostic relative to its section, or in full for an entry of a list, with its line. */
function formatSibling({ pointer, place }: Diagnostic): string {
  const inside = splitPointer(pointer).slice(2)
  const name = display(/^\d+$/.test(inside[0] ?? '') ? formatDotted(pointer) : inside.join('.'))
  return place === undefined ? name : `${name} (line ${place.start.line})`
}

function formatDiagnostic([diagnostic, ...others]: Siblings, { readLines, paint }: DiagnosticsView): string {
  const { code, severity, message, place, help, related = [] } = diagnostic
  const { source } = catalog[code]
  const colour = severityColours[severity]
  const where = place === undefined ? '' : `${formatStart(place)}  `
  const note = (name: string, text: string) => `  ${paint('cyan', name)}: ${text}`
  const head = `${paint('bold', where)}${paint(colour, severity)}  ${display(message)}  ${paint('dim', code)}`
  // A note asks for no edit of the line.
  const lines = place === undefined || severity === 'note' ? undefined : readLines(place.file)
  return [
    head,
    ...(place === undefined || lines === undefined ? [] : [formatCodeFrame(lines, place)]),
    ...(others.length === 0 ? [] : [note('also', others.map(formatSibling).join(', '))]),
    ...(help === undefined ? [] : [note('help', display(help))]),
    ...(showsSource(severity, source) ? [note('source', display(source))] : []),
    ...related.map(({ message, place }) => note('note', `${display(message)} (${formatStart(place)})`)),
    '',
  ].join('\n')
}

/** Tests whether the source is shown: readers must judge a warning that the service document does not support. */
export function showsSource(severity: Diagnostic['severity'], source: string): boolean {
  return severity === 'warning' && /^(Reported:|Kubernetes)/.test(source)
}

/** Formats the start of a place. Adds `./` to a name that begins with two colons, because GitHub would run the line. */
function formatStart({ file, start }: Place): string {
  return `${display(file.replace(/^(?=\s*::)/, './'))}:${start.line}:${start.column}`
}

const linesAbove = 2
const linesBelow = 1

/**
 * Formats the marked line of a file with two before and one after. Ranges over several lines are marked at their start.
 * Written by hand, because a library for this takes longer to load than a manifest to check.
 */
function formatCodeFrame(lines: readonly string[], { start, end }: Place): string {
  // Only the shown lines are formatted: a file may have very many lines, and very many errors.
  const first = Math.max(0, start.line - 1 - linesAbove)
  const shown = lines.slice(first, start.line + linesBelow)
  const digits = String(first + shown.length).length
  return shown
    .flatMap((line, index) => {
      const number = first + 1 + index
      const isMarked = number === start.line
      const { text, marks } = cutLine(
        line,
        isMarked ? { start, end } : undefined,
        defaultColumns - digits - 5,
      )
      const row = `${isMarked ? '>' : ' '} ${String(number).padStart(digits)} |${text === '' ? '' : ` ${text}`}`
      return isMarked ? [row, `  ${' '.repeat(digits)} | ${marks}`] : [row]
    })
    .join('\n')
}

/**
 * Cuts a line to a width, around the marked range. Marks are as wide as the range on the screen, where characters shown
 * as escapes take more room.
 */
function cutLine(line: string, range: Pick<Place, 'start' | 'end'> | undefined, room: number) {
  const start = (range?.start.column ?? 1) - 1
  const end = range !== undefined && range.start.line === range.end.line ? range.end.column - 1 : start + 1
  const isFarRight = displayLine(line.slice(0, Math.min(end, start + room / 2))).length >= room
  const from = isFarRight ? Math.max(1, start - Math.floor(room / 3)) : 0
  const opening = isFarRight ? '…' : ''
  const before = opening.length + displayLine(line.slice(from, start)).length
  const marked = Math.min(displayLine(line.slice(start, end)).length, room - before)
  return {
    // A multiple of the room, because combining marks take none.
    text: clipText(opening + displayLine(line.slice(from, from + 4 * room)), room),
    marks: ' '.repeat(Math.min(before, room - 1)) + '^'.repeat(Math.max(1, marked)),
  }
}

/**
 * Formats the counts of files, errors, warnings and notes in one line, and of those that can be fixed. Counts the
 * `skipped` files, too.
 */
export function formatSummary(files: number, diagnostics: readonly Diagnostic[], skipped = 0): string {
  const count = (severity: Diagnostic['severity']) => countSeverity(diagnostics, severity)
  const skippedText = skipped === 0 ? '' : ` (${formatSkipped(skipped)})`
  const notes = count('note')
  const fixable = diagnostics.filter(({ fix }) => fix !== undefined).length
  const fixes = fixable === 0 ? '' : `; ${fixable} fixable with \`--fix\``
  const counts = [
    formatNumber(files, 'file'),
    formatNumber(count('error'), 'error'),
    formatNumber(count('warning'), 'warning'),
    ...(notes === 0 ? [] : [formatNumber(notes, 'note')]),
  ]
  return `${counts.join(', ')}${skippedText}${fixes}`
}

/** Counts skipped files: those that are not manifests, and that no manifest reads. */
export function formatSkipped(count: number): string {
  return `${formatNumber(count, 'other file')} skipped`
}

interface VersionDifference {
  readonly file: string
  readonly versions: readonly string[]
  readonly diagnostic: Diagnostic
}

/** Finds the diagnostics that only other versions have, each once for all versions that share it. */
function findVersionDifferences({ diagnostics, versions = [] }: Findings): readonly VersionDifference[] {
  const known = new Set(diagnostics.map(buildKey))
  const differences = new Map<string, { readonly versions: string[] } & VersionDifference>()
  for (const { file, version, diagnostics } of versions)
    for (const diagnostic of diagnostics.filter(one => !known.has(buildKey(one)))) {
      const key = JSON.stringify([file, buildKey(diagnostic)])
      const difference = differences.get(key) ?? { file, versions: [], diagnostic }
      difference.versions.push(version)
      differences.set(key, difference)
    }
  return [...differences.values()]
}

/** Merges the findings of all versions into one list, for formats without a place for versions. */
export function mergeVersions(findings: Findings): Findings {
  const others = findVersionDifferences(findings).map(({ versions, diagnostic }) => ({
    ...diagnostic,
    message: `with service version ${versions.join(', ')}: ${diagnostic.message}`,
  }))
  return { ...findings, diagnostics: [...findings.diagnostics, ...others] }
}

/** Identifies a diagnostic without its message, which may name a version. `related` separates the overlays of a shared base. */
function buildKey({ code, pointer, place, related }: Diagnostic): string {
  return JSON.stringify([code, pointer, place, related])
}

/** Formats a table of files and versions, and below it the diagnostics that only other versions have. */
export function formatMatrix(report: Findings): string {
  const { versions: findings = [] } = report
  const files = [...new Set(findings.map(({ file }) => file))]
  const versions = [...new Set(findings.map(({ version }) => version))]
  const rows = [
    ['', ...versions],
    ...files.map(file => [
      display(file),
      ...versions.map(version =>
        summarizeFindings(findings.find(one => one.file === file && one.version === version)),
      ),
    ]),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length))) ?? []
  const table = rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const differences = findVersionDifferences(report)
  const below = files.flatMap(file => {
    const lines = differences.filter(one => one.file === file).map(formatDifference)
    return lines.length === 0 ? [] : ['', ...lines]
  })
  return `${[...table, ...below].join('\n')}\n`
}

function summarizeFindings(findings: VersionFindings | undefined): string {
  const { diagnostics = [] } = findings ?? {}
  const severity = (['error', 'warning'] as const).find(one => countSeverity(diagnostics, one) > 0)
  return severity === undefined ? 'ok' : formatNumber(countSeverity(diagnostics, severity), severity)
}

function formatDifference({ versions, diagnostic }: VersionDifference): string {
  const { code, severity, message, place } = diagnostic
  const where =
    place === undefined ? '' : `${display(place.file)}:${place.start.line}:${place.start.column}  `
  return `${versions.join(', ')}: ${where}${severity}  ${display(message)}  ${code}`
}

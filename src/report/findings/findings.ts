import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Place } from '../../diagnostics/place.js'
import { display } from '../display.js'
import { fingerprint } from './fingerprint.js'

/** What a file would be told under one service version. */
export interface VersionFindings {
  readonly file: string
  readonly version: string
  readonly diagnostics: readonly Diagnostic[]
}

/** What a check found: the input of every format of a report. */
export interface Findings {
  /** The names of all files that were checked, also of those without diagnostics. */
  readonly files: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
  /** How many files of the folders were passed over. */
  readonly skipped?: number
  /** What other service versions would say. */
  readonly versions?: readonly VersionFindings[]
}

/** A diagnostic as CI systems want it: always with a place, and the same one in the next run. */
export interface Finding {
  readonly diagnostic: Diagnostic
  /** Its own place; without one, the start of the first file. */
  readonly place: Place
  /** Which one among those of the same code, file and pointer, from 1. */
  readonly ordinal: number
  readonly fingerprint: string
}

/** The findings in the order of the check. To be taken before any are left out, for they are numbered. */
export function identified({ files: [first = 'manifest'], diagnostics }: Findings): readonly Finding[] {
  const seen = new Map<string, number>()
  return diagnostics.map(diagnostic => {
    const { code, pointer, place = { file: first, start: beginning, end: beginning } } = diagnostic
    const subject = JSON.stringify([code, place.file, pointer])
    const ordinal = (seen.get(subject) ?? 0) + 1
    seen.set(subject, ordinal)
    return { diagnostic, place, ordinal, fingerprint: fingerprint(subject, ordinal) }
  })
}

const beginning = { line: 1, column: 1 } as const

/** Keeps the first of the notes that say the same: what is so of many files is said once a run. */
export function withNotesOnce(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const said = new Set<string>()
  return diagnostics.filter(({ severity, code, message }) => {
    const key = JSON.stringify([code, message])
    if (severity !== 'note') return true
    return !said.has(key) && said.add(key)
  })
}

/** Errors before warnings before notes, each in their order, for readers that stop after some. */
export function errorsFirst(findings: readonly Finding[]): readonly Finding[] {
  const those = (severity: Diagnostic['severity']) =>
    findings.filter(({ diagnostic }) => diagnostic.severity === severity)
  return [...those('error'), ...those('warning'), ...those('note')]
}

/** The findings of each file: first the files that were checked, then others that a diagnostic points into. */
export function byFile(findings: Findings): ReadonlyMap<string, readonly Finding[]> {
  const groups = new Map<string, Finding[]>(findings.files.map(file => [file, []]))
  for (const finding of identified(findings)) {
    const group = groups.get(finding.place.file)
    if (group === undefined) groups.set(finding.place.file, [finding])
    else group.push(finding)
  }
  return groups
}

/** Message and help in one line that is safe to print, for formats with one text a finding. */
export function describeDiagnostic({ message, help }: Diagnostic): string {
  return help === undefined ? display(message) : `${display(message)}; help: ${display(help)}`
}

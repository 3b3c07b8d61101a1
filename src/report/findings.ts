import { createHash } from 'node:crypto'
import { catalog, type Diagnostic, type DiagnosticCode } from '../diagnostics/diagnostic.js'
import type { Place } from '../diagnostics/place.js'
import { display } from './display.js'

/** The diagnostics of a file under one service version. */
export interface VersionFindings {
  readonly file: string
  readonly version: string
  readonly diagnostics: readonly Diagnostic[]
}

/** The results of a check: the input of every report format. */
export interface Findings {
  /** The names of all checked files, including those without diagnostics. */
  readonly files: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
  /** The number of files in the folders that were skipped. */
  readonly skipped?: number
  /** The diagnostics under other service versions. */
  readonly versions?: readonly VersionFindings[]
}

/** A diagnostic for CI systems: always with a place, and with a fingerprint that is stable between runs. */
export interface Finding {
  readonly diagnostic: Diagnostic
  /** Its own place; without one, the start of the first file. */
  readonly place: Place
  /** The number among findings with the same code, file and pointer, from 1. */
  readonly ordinal: number
  readonly fingerprint: string
}

/** Numbers the findings, in the order of the check. Call it before any are omitted. */
export function identifyFindings({ files: [first = 'manifest'], diagnostics }: Findings): readonly Finding[] {
  const seen = new Map<string, number>()
  return diagnostics.map(diagnostic => {
    const { code, pointer, place = { file: first, start: beginning, end: beginning } } = diagnostic
    const subject = JSON.stringify([code, place.file, pointer])
    const ordinal = (seen.get(subject) ?? 0) + 1
    seen.set(subject, ordinal)
    // Without the line: otherwise, CI systems would report every finding below an edit as new.
    const fingerprint = createHash('sha256').update(`${subject}${ordinal}`).digest('hex')
    return { diagnostic, place, ordinal, fingerprint }
  })
}

const beginning = { line: 1, column: 1 } as const

/** Keeps the first of equal findings: a mistake in a base is reported once, however many manifests extend it. */
export function removeRepeats(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const reported = new Set<string>()
  return diagnostics.filter(({ severity, code, message, pointer, place }) => {
    // A note is about the whole run; any other diagnostic without a place is about its own manifest.
    if (severity !== 'note' && place === undefined) return true
    const key = JSON.stringify(severity === 'note' ? [code, message] : [code, message, pointer, place])
    return !reported.has(key) && reported.add(key)
  })
}

/** Counts the diagnostics of one severity. */
export function countSeverity(diagnostics: readonly Diagnostic[], severity: Diagnostic['severity']): number {
  return diagnostics.filter(one => one.severity === severity).length
}

/** Sorts errors before warnings before notes, and keeps their order otherwise, for readers that stop early. */
export function sortErrorsFirst(findings: readonly Finding[]): readonly Finding[] {
  const those = (severity: Diagnostic['severity']) =>
    findings.filter(({ diagnostic }) => diagnostic.severity === severity)
  return [...those('error'), ...those('warning'), ...those('note')]
}

/** Formats message and help as one safe line, for formats with a single text per finding. */
export function describeDiagnostic({ message, help }: Diagnostic): string {
  return help === undefined ? display(message) : `${display(message)}; help: ${display(help)}`
}

/** The machine form of a check; its schema is `schemas/validation.schema.json`. */
export function validationDocument({ files, diagnostics, skipped = 0, versions = [] }: Findings) {
  const notes = countSeverity(diagnostics, 'note')
  return {
    formatVersion: 1,
    diagnostics: diagnostics.map(diagnosticDocument),
    ...(versions.length > 0 && {
      versions: versions.map(one => ({ ...one, diagnostics: one.diagnostics.map(diagnosticDocument) })),
    }),
    summary: {
      files: files.length,
      errors: countSeverity(diagnostics, 'error'),
      warnings: countSeverity(diagnostics, 'warning'),
      ...(notes > 0 && { notes }),
      ...(skipped > 0 && { skipped }),
    },
  } as const
}

/** The machine form of one diagnostic. */
export function diagnosticDocument(diagnostic: Diagnostic) {
  const { code, severity, message, help, place, pointer, related = [], fix } = diagnostic
  return {
    code,
    severity,
    message,
    ...(help !== undefined && { help }),
    source: catalog[code].source,
    ...(fix !== undefined && { fixable: true }),
    ...(place !== undefined && { file: place.file }),
    pointer,
    ...(place !== undefined && { range: toRange(place) }),
    ...(related.length > 0 && {
      related: related.map(({ message, place }) => ({ message, file: place.file, range: toRange(place) })),
    }),
  }
}

function toRange({ start, end }: Place) {
  return { start, end }
}

/** Chooses the exit code of a check: success, only policy violations, missing files, or errors. */
export function chooseFindingsExit(
  diagnostics: readonly Diagnostic[],
  failOn: 'error' | 'warning',
): 'done' | 'refused' | 'missing' | 'invalid' {
  const counted = diagnostics.filter(({ severity }) => severity === 'error' || severity === failOn)
  if (counted.length === 0) return 'done'
  return counted.every(({ code }) => policyCodes.includes(code)) ? 'refused' : chooseReferencesExit(counted)
}

/** Chooses the exit code of unresolved references: missing or invalid. */
export function chooseReferencesExit(diagnostics: readonly Diagnostic[]): 'missing' | 'invalid' {
  return diagnostics.every(({ code }) => missingCodes.includes(code)) ? 'missing' : 'invalid'
}

const policyCodes: readonly DiagnosticCode[] = ['policy/violated', 'policy/advised']

const missingCodes: readonly DiagnosticCode[] = ['extends/missing', 'file/missing', 'secret/missing']

/** Suggests what to do about references that cannot be used. */
export function suggestReferences(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (chooseReferencesExit(errors) === 'missing') return 'provide what is missing'
  return errors.every(({ code }) => code === 'administrator/password')
    ? 'set a password that follows the rules'
    : 'provide what is missing, and correct what is not valid'
}

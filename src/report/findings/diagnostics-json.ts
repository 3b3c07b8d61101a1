import { catalog } from '../../diagnostics/catalog.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import type { Place } from '../../diagnostics/place.js'
import { countSeverity, type Findings } from './findings.js'

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

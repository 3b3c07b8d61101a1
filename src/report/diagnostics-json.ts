import type { Diagnostic } from '../diagnostics/diagnostic.js'

/** The machine form of a check; its schema is `schemas/validation.schema.json`. */
export function validationDocument(files: number, diagnostics: readonly Diagnostic[]) {
  const count = (severity: Diagnostic['severity']) =>
    diagnostics.filter(one => one.severity === severity).length
  return {
    formatVersion: 1,
    diagnostics: diagnostics.map(diagnosticDocument),
    summary: { files, errors: count('error'), warnings: count('warning') },
  } as const
}

/** One diagnostic in a machine document. */
export function diagnosticDocument({ code, severity, message, help, place, pointer }: Diagnostic) {
  return {
    code,
    severity,
    message,
    ...(help !== undefined && { help }),
    ...(place !== undefined && { file: place.file }),
    pointer,
    ...(place !== undefined && { range: { start: place.start, end: place.end } }),
  }
}

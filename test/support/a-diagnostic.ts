import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import type { Place } from '../../src/diagnostics/place.js'

/** Returns an error without a place, with the given changes. */
export function aDiagnostic(changes: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: 'volume/missing-component',
    severity: 'error',
    message: 'one is missing',
    pointer: '/spec/volumes',
    ...changes,
  }
}

/** Returns a place within one line, with the given changes. */
export function aPlace(changes: Partial<Place> = {}): Place {
  return { file: 'site.yaml', start: { line: 2, column: 3 }, end: { line: 2, column: 9 }, ...changes }
}

/** Returns a diagnostic with untrusted text in each of its texts and names. */
export function aHostileDiagnostic(hostile: string): Diagnostic {
  const place = aPlace({ file: `${hostile}f` })
  return aDiagnostic({
    message: `${hostile}m`,
    help: `${hostile}h`,
    pointer: `/${hostile}`,
    place,
    related: [{ message: `${hostile}r`, place }],
  })
}

import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import type { Place } from '../../src/diagnostics/place.js'

/** An error without a place, but for the changes. */
export function aDiagnostic(changes: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: 'volume/missing-component',
    severity: 'error',
    message: 'one is missing',
    pointer: '/spec/volumes',
    ...changes,
  }
}

/** A place within one line. */
export function aPlace(changes: Partial<Place> = {}): Place {
  return { file: 'site.yaml', start: { line: 2, column: 3 }, end: { line: 2, column: 9 }, ...changes }
}

/** A diagnostic with something untrusted in every text and name that it has. */
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

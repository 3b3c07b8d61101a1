import type { Diagnostic } from '../diagnostics/diagnostic.js'

/** How many errors and warnings in how many files, in one line. */
export function formatSummary(files: number, diagnostics: readonly Diagnostic[]): string {
  const count = (severity: Diagnostic['severity']) =>
    diagnostics.filter(one => one.severity === severity).length
  return `${several(files, 'file')}, ${several(count('error'), 'error')}, ${several(count('warning'), 'warning')}`
}

function several(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

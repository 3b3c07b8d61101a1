import type { Diagnostic } from '../diagnostics/diagnostic.js'

/**
 * How many errors, warnings and notes in how many files, in one line, and what of them can be mended. `skipped` files were
 * found but are no manifests, or are checked through those that build on them.
 */
export function formatSummary(files: number, diagnostics: readonly Diagnostic[], skipped = 0): string {
  const count = (severity: Diagnostic['severity']) =>
    diagnostics.filter(one => one.severity === severity).length
  const passed = skipped === 0 ? '' : ` (${several(skipped, 'other YAML file')} passed over)`
  const notes = count('note') === 0 ? '' : `, ${several(count('note'), 'note')}`
  const fixable = diagnostics.filter(({ fix }) => fix !== undefined).length
  const mends = fixable === 0 ? '' : `; ${fixable} can be mended with --fix`
  return `${several(files, 'file')}, ${several(count('error'), 'error')}, ${several(count('warning'), 'warning')}${notes}${passed}${mends}`
}

function several(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

import type { Diagnostic } from '../diagnostics/diagnostic.js'

/**
 * Formats the counts of files, errors, warnings and notes in one line, and of those that can be fixed. `skipped` files
 * are no manifests, or are checked through the manifests that extend them.
 */
export function formatSummary(files: number, diagnostics: readonly Diagnostic[], skipped = 0): string {
  const count = (severity: Diagnostic['severity']) =>
    diagnostics.filter(one => one.severity === severity).length
  const skippedText = skipped === 0 ? '' : ` (${formatCount(skipped, 'other YAML file')} skipped)`
  const notes = count('note') === 0 ? '' : `, ${formatCount(count('note'), 'note')}`
  const fixable = diagnostics.filter(({ fix }) => fix !== undefined).length
  const fixes = fixable === 0 ? '' : `; ${fixable} fixable with \`--fix\``
  return `${formatCount(files, 'file')}, ${formatCount(count('error'), 'error')}, ${formatCount(count('warning'), 'warning')}${notes}${skippedText}${fixes}`
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

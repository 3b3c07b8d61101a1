import { citePublicly } from '../contract/vendor-pages.js'
import type { CatalogEntry } from '../diagnostics/catalog/entry.js'
import { catalog } from '../diagnostics/catalog.js'
import type { DiagnosticCode } from '../diagnostics/diagnostic.js'
import { type Explanation, explanations } from '../diagnostics/generated/explanations.js'
import { severityColours } from './findings/diagnostics-text.js'
import type { Paint } from './paint.js'

/** The parts of a catalog entry that do not depend on facts, with its explanation. */
export type CatalogPage = Pick<CatalogEntry<never>, 'severity' | 'phase' | 'source' | 'title'> & Explanation

/** Finds the page of one code. */
export function findCatalogPage(code: DiagnosticCode): CatalogPage {
  return { ...catalog[code], ...explanations[code] }
}

/** Explains a code to people: its meaning and its fix. */
export function explainCode(code: DiagnosticCode, paint: Paint): string {
  const { severity, phase, source, title, text, example } = findCatalogPage(code)
  const colour = severityColours[severity]
  const yaml = (name: string, lines: string) => [
    `${paint('bold', name)}`,
    ...indentLines(lines.split('\n')),
    '',
  ]
  return [
    `${paint('bold', code)}  ${paint(colour, severity)}`,
    '',
    title,
    '',
    text,
    '',
    ...(example === undefined ? [] : [...yaml('Wrong:', example.wrong), ...yaml('Right:', example.right)]),
    `Source: ${citePublicly(source)}`,
    ...(severity !== 'error' && phase === 'manifest' ? [describeIgnoring(code)] : []),
    '',
  ].join('\n')
}

function describeIgnoring(code: DiagnosticCode): string {
  return `To ignore it on the next line: # landform-ignore-next-line ${code} -- REASON`
}

function indentLines(lines: readonly string[]): readonly string[] {
  return lines.map(line => `  ${line}`)
}

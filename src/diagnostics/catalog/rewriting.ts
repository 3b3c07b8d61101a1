import { formatAll } from '../words.js'

/** The right notation for a value of the wrong type. */
export type Rewriting =
  /** The same text in quotes. */
  | { readonly kind: 'quotes'; readonly text: string }
  /** The same text with a unit after it. */
  | { readonly kind: 'unit'; readonly text: string }
  /** Text like this example, because the written value is not valid even in quotes. */
  | { readonly kind: 'example'; readonly text: string }
  /** A map with at least these fields. */
  | { readonly kind: 'map'; readonly fields: readonly string[] }

/** Formats the notation as a help text. */
export function formatRewriting(rewriting: Rewriting): string {
  switch (rewriting.kind) {
    case 'quotes':
      return `quote it: ${JSON.stringify(rewriting.text)}`
    case 'unit':
      return `add a unit: ${rewriting.text}`
    case 'example':
      return `use text such as ${JSON.stringify(rewriting.text)}`
    case 'map':
      return `use a map with ${formatAll(rewriting.fields)}`
    default:
      return rewriting satisfies never
  }
}

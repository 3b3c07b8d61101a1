import { allOf } from '../words.js'

/** How a value of the wrong type should be written. */
export type Rewriting =
  /** Just as it was, in quotes. */
  | { readonly kind: 'quotes'; readonly text: string }
  /** As it was, and a unit after it. */
  | { readonly kind: 'unit'; readonly text: string }
  /** Like this text, for what was written would not do as one. */
  | { readonly kind: 'example'; readonly text: string }
  /** As a map that has at least these fields. */
  | { readonly kind: 'map'; readonly fields: readonly string[] }

/** What to write instead. */
export function rewritingHelp(rewriting: Rewriting): string {
  switch (rewriting.kind) {
    case 'quotes':
      return `write it in quotes: ${JSON.stringify(rewriting.text)}`
    case 'unit':
      return `write it with a unit: ${rewriting.text}`
    case 'example':
      return `write text such as ${JSON.stringify(rewriting.text)}`
    case 'map':
      return `write a map with ${allOf(rewriting.fields)}`
    default:
      return rewriting satisfies never
  }
}

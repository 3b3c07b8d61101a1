import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'

/** What a manifest may be; far above any real one. */
export const caps = {
  bytes: 256 * 1024,
  /** Words and signs; the parser takes up a kilobyte for each. */
  tokens: 100_000,
  depth: 32,
  nodes: 10_000,
  /** Every value has its own path, so many values under a long key would take up gigabytes. */
  pathCharacters: 4_000_000,
  aliases: 100,
} as const

/** What is over a limit, and the limit. */
export function tooLarge(what: string, limit: string): Diagnostic {
  return diagnose('yaml/too-large', '', { what, limit })
}

/** Deeper than any manifest. */
export function tooDeep(): Diagnostic {
  return tooLarge('the nesting is too deep', `${caps.depth} levels`)
}

import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'

/** What a manifest may be; far above any real one. */
export const caps = { bytes: 256 * 1024, depth: 32, nodes: 50_000, aliases: 100 } as const

/** What is over a limit, and the limit. */
export function tooLarge(what: string, limit: string): Diagnostic {
  return diagnose('yaml/too-large', '', { what, limit })
}

/** Deeper than any manifest. */
export function tooDeep(): Diagnostic {
  return tooLarge('the nesting is too deep', `${caps.depth} levels`)
}

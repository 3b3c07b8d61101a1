import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { SecretReference } from '../manifest/manifest.js'
import { listUpdateReferences, tokenPointer } from './needed-references.js'
import { resolve, wipeAll } from './resolve.js'
import type { Secret } from './secret.js'
import type { SecretSource } from './secret-source.js'

/** The reason that there is no token although the manifest says how to get one. It quotes no answer of the token service. */
export type TokenError =
  /** The token service rejected the account; or, with diagnostics, its password could not be read. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly code: number
      readonly diagnostics?: readonly Diagnostic[]
      /** The rejected accounts, where several were tried. */
      readonly accounts?: readonly string[]
    }
  /** The token service is unavailable; a later request may succeed. `reason` is a code such as `ECONNRESET`. */
  | { readonly kind: 'trouble'; readonly reason: string }

/** The messages between a token provider and a user of its token. */
export interface TokenTerms {
  /** The site rejected the token: the next use gets another one, if there is one. */
  reject(): void
  readonly error?: TokenError
  /** There is none now, but its file may still be written. */
  readonly mayCome?: true
}

/**
 * Provides the newest token of a site for one use and wipes it afterwards; `undefined` without a token, which reads
 * allow. With `at-hand` it signs in for none.
 */
export type TokenProvider = <T>(
  use: (token: Secret | undefined, terms?: TokenTerms) => Promise<T>,
  need?: 'at-hand',
) => Promise<T>

/**
 * Provides the token that a manifest names, read again each time. Service §5; public sources report that reading takes
 * one.
 */
export function createTokenProvider(
  reference: SecretReference | undefined,
  source: SecretSource,
): TokenProvider {
  return async use => {
    const resolved = await resolve(listUpdateReferences(reference), source)
    if (!resolved.ok)
      return use(
        undefined,
        'file' in (reference ?? {}) ? { reject: () => undefined, mayCome: true } : undefined,
      )
    try {
      return await use(resolved.value.secrets.get(tokenPointer))
    } finally {
      wipeAll(resolved.value.secrets)
    }
  }
}

/** Provides no token. */
export const noToken: TokenProvider = use => use(undefined)

/** A use of a token, and the test for its rejection. */
interface TokenUse<T> {
  with(token: Secret | undefined, lack: TokenError | undefined, terms: TokenTerms | undefined): Promise<T>
  wasRejected(result: T): boolean
}

/** Uses a token; if the site rejects it and a newer one exists, uses that once. */
export function retryWithNewToken<T>(provide: TokenProvider, use: TokenUse<T>): Promise<T> {
  return provide(async (token, terms) => {
    const result = await use.with(token, terms?.error, terms)
    if (token === undefined || !use.wasRejected(result)) return result
    terms?.reject()
    return provide(async (next, newTerms) => {
      const lack = newTerms?.error
      if (next === undefined) return lack?.kind === 'refused' ? use.with(undefined, lack, newTerms) : result
      if (next.bytes.equals(token.bytes)) return result
      const renewed = await use.with(next, lack, newTerms)
      if (use.wasRejected(renewed)) newTerms?.reject()
      return renewed
    })
  })
}

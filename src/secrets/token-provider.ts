import type { Diagnostic } from '../diagnostics/diagnostic.js'
import type { SecretReference } from '../manifest/manifest.js'
import { listUpdateReferences, tokenPointer } from './needed-references.js'
import { resolve, wipeAll } from './resolve.js'
import type { Secret } from './secret.js'
import type { SecretSource } from './secret-source.js'

/** The reason why there is no token, although the manifest says how to get one. Never quotes the token service. */
export type TokenError =
  /** The token service rejected the account; or, with diagnostics, its password could not be read. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly code: number
      readonly diagnostics?: readonly Diagnostic[]
      /** The rejected accounts, if several were tried. */
      readonly accounts?: readonly string[]
    }
  /** The token service is unavailable; a later request may succeed. `reason` is a code such as `ECONNRESET`. */
  | { readonly kind: 'trouble'; readonly reason: string }

/** The exchange between a token provider and the user of its token. */
export interface TokenTerms {
  /** Reports that the site rejected the token: the next use gets another token, if there is one. */
  reject(): void
  readonly error?: TokenError
  /** There is no token now, but its file may still be written. */
  readonly mayCome?: true
}

/**
 * Provides the newest token of a site for one use, and wipes it afterwards. The token is `undefined` if there is none, which
 * is allowed for reads. With `at-hand`, the provider does not sign in to get one.
 */
export type TokenProvider = <T>(
  use: (token: Secret | undefined, terms?: TokenTerms) => Promise<T>,
  need?: 'at-hand',
) => Promise<T>

/**
 * Creates a provider of the token that a manifest names, which is read again for each use. Service §5; public sources report
 * that reads require a token, too.
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

/** Provides no token, for a site that requires none. */
export const noToken: TokenProvider = use => use(undefined)

/** A use of a token, and the test for a rejection of the token. */
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

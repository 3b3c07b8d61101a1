import type { SecretReference } from '../manifest/manifest.js'
import { resolve, wipeAll } from './resolve.js'
import type { Secret } from './secret.js'
import type { SecretSource } from './secret-source.js'
import { tokenPointer, wantedByUpdate } from './wanted.js'

/**
 * Lends the token of a site for as long as one use takes, read anew each time and wiped afterwards; `undefined` where
 * none can be read, which is no error for who only looks.
 */
export type TokenLoan = <T>(use: (token: Secret | undefined) => Promise<T>) => Promise<T>

/** Lends the token that a manifest names. Service §5; that reading takes one is reported. */
export function tokenLoan(reference: SecretReference | undefined, source: SecretSource): TokenLoan {
  return async use => {
    const resolved = await resolve(wantedByUpdate(reference), source)
    if (!resolved.ok) return use(undefined)
    try {
      return await use(resolved.secrets.get(tokenPointer))
    } finally {
      wipeAll(resolved.secrets)
    }
  }
}

/** Where there is no token to lend. */
export const noToken: TokenLoan = use => use(undefined)

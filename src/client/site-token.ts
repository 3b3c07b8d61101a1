import { tokenErrorCodes } from '../contract/field-notes.js'
import type { Secret } from '../secrets/secret.js'
import {
  retryWithNewToken,
  type TokenError,
  type TokenProvider,
  type TokenTerms,
} from '../secrets/token-provider.js'
import { type Reply, type ServiceFailure, toFailure } from './failure.js'

/**
 * Makes a call with the token of a site, and once more with a newer one if a complete response rejects the token: such a call
 * was not carried out. Makes no call if no token can be obtained.
 */
export function withToken<T>(
  provide: TokenProvider,
  call: (token: Secret | undefined, terms?: TokenTerms) => Promise<Reply<T>>,
  isRejection: (failure: ServiceFailure) => boolean = isTokenRejection,
): Promise<Reply<T>> {
  return retryWithNewToken<Reply<T>>(provide, {
    with: async (token, lack, terms) =>
      lack === undefined ? call(token, terms) : toFailure(toSignInFailure(lack)),
    wasRejected: reply => !reply.ok && isRejection(reply.error),
  })
}

const renewable: readonly number[] = [...Object.values(tokenErrorCodes), 401]

/** True if a complete response rejects the token itself. A new token would not help against an insufficient role. */
export function isTokenRejection(failure: ServiceFailure): boolean {
  if (failure.kind !== 'unauthorized' || failure.status >= 500) return false
  if (failure.cause === 'proxy-account') return false
  return renewable.includes(failure.code ?? failure.status)
}

/** True if the response to a poll is a redirect or a sign-in page; neither is followed. Public sources. */
export function asksToSignIn(failure: ServiceFailure): boolean {
  if (failure.kind === 'redirected') return [302, 303, 307].includes(failure.status)
  return failure.kind === 'unauthorized' && failure.cause === 'sign-in'
}

/** Builds the failure of a call that was not made for lack of a token. */
export function toSignInFailure(lack: TokenError): ServiceFailure {
  if (lack.kind === 'trouble') return { kind: 'not-sent', cause: 'sign-in', reason: lack.reason }
  const { status, code, diagnostics, accounts = [] } = lack
  if (diagnostics === undefined)
    return { kind: 'unauthorized', status, code, message: accounts.join(' and '), reason: 'account-rejected' }
  const message = diagnostics.map(one => one.message).join('; ')
  return { kind: 'unauthorized', status, message, reason: 'no-secret', isTokenless: true }
}

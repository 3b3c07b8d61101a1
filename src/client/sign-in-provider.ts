import { resolve, wipeAll } from '../secrets/resolve.js'
import { Secret } from '../secrets/secret.js'
import type { SecretSource } from '../secrets/secret-source.js'
import type { TokenError, TokenProvider, TokenTerms } from '../secrets/token-provider.js'
import { direct, type Route } from './route.js'
import { type Account, type SignInReply, signIn } from './sign-in.js'

/** The dependencies of signing in. */
export interface SignInContext {
  /** Base URL of the site. */
  readonly url: string
  readonly route?: Route
  readonly account: Account
  /** Chooses the account to try first, at the first sign-in. */
  chooseFirst?(): Promise<Account | undefined>
  readonly secrets: SecretSource
  readonly clock: { now(): number; monotonicMs(): number }
  /** Provides the token that the manifest names, which is tried first. */
  readonly named: TokenProvider
}

/** A token provider that holds a token between uses, until it is closed. */
export interface SignInProvider {
  readonly provide: TokenProvider
  close(): void
}

interface HeldToken {
  readonly token: Secret
  readonly renewAtMs: number
  /** True once the site has accepted it. */
  wasTaken: boolean
}

/** A request for a token, after one that failed. */
const pauseMs = { first: 1000, max: 60_000 } as const
/** A sign-in with a rejected account, from the second rejection on. Accounts are locked after some wrong passwords. */
const rejectedPauseMs = 5 * 60_000

/**
 * Provides the token that the manifest names. If there is none, or the site rejects it, signs in: holds the token in memory,
 * and renews it before it expires and whenever the site rejects it. The pauses between requests to an unavailable token
 * service grow. A rejected account, which may not exist yet, is tried again every five minutes. Public sources.
 */
export function createSignInProvider(context: SignInContext): SignInProvider {
  const { clock, named } = context
  let held: HeldToken | undefined
  let isNamedRefused = false
  let error: TokenError | undefined
  let failures = 0
  let refusals = 0
  let notBeforeMs = 0
  let asking: Promise<void> | undefined
  let accounts: readonly Account[] | undefined

  const drop = () => {
    held?.token.wipe()
    held = undefined
  }
  const pause = (because: TokenError) => {
    error = because
    const ms = Math.min(pauseMs.first * 2 ** failures, pauseMs.max)
    failures += 1
    notBeforeMs = clock.monotonicMs() + (refusals > 1 ? rejectedPauseMs : ms)
  }
  const ask = async () => {
    if (accounts === undefined) accounts = [(await context.chooseFirst?.()) ?? [], context.account].flat()
    const rejected: string[] = []
    let because: TokenError | undefined
    for (const account of accounts) {
      const reply = await requestToken(context, account)
      if (reply.ok) {
        const { token, expires } = reply.value
        error = undefined
        // From now on, only this account is used.
        accounts = [account]
        held = { token, renewAtMs: computeRenewalMs(context, expires), wasTaken: false }
        return
      }
      if (reply.error.kind === 'trouble') return pause(reply.error)
      const isRejected = reply.error.diagnostics === undefined
      if (isRejected) rejected.push(account.username)
      // A rejected account is reported rather than a missing secret.
      if (isRejected || rejected.length === 0)
        because = { ...reply.error, ...(accounts.length > 1 && { accounts: rejected }) }
    }
    refusals += 1
    if (because !== undefined) pause(because)
  }
  const current = async () => {
    if (held !== undefined && clock.monotonicMs() >= held.renewAtMs) drop()
    if (asking === undefined && held === undefined && clock.monotonicMs() >= notBeforeMs)
      asking = ask().finally(() => {
        asking = undefined
      })
    await asking
    return held
  }
  const provideHeld: TokenProvider = async (use, need) => {
    if (need === 'at-hand' && held === undefined) return use(undefined)
    const provided = await current()
    if (provided === undefined) {
      // The file of the named token may have changed.
      isNamedRefused = false
      return use(undefined, { reject: () => undefined, ...(error && { error }) })
    }
    const copy = new Secret(Buffer.from(provided.token.bytes))
    let isRefused = false
    const reject = () => {
      isRefused = true
      if (held !== provided) return
      drop()
      // The site would reject a new token as well.
      if (!provided.wasTaken) pause({ kind: 'trouble', reason: 'TOKEN_REJECTED' })
    }
    try {
      return await use(copy, { reject })
    } finally {
      copy.wipe()
      if (!isRefused) {
        provided.wasTaken = true
        failures = 0
      }
    }
  }
  const provide: TokenProvider = async (use, need) => {
    if (isNamedRefused) return provideHeld(use, need)
    const terms: TokenTerms = {
      reject() {
        isNamedRefused = true
      },
    }
    const used = await named(async token =>
      token === undefined ? undefined : { result: await use(token, terms) },
    )
    return used === undefined ? provideHeld(use, need) : used.result
  }
  return { provide, close: drop }
}

async function requestToken(
  { url, route = direct, secrets }: SignInContext,
  account: Account,
): Promise<SignInReply> {
  const { pointer, password: reference } = account
  const resolved = await resolve([{ kind: 'secret', pointer, reference }], secrets)
  if (!resolved.ok)
    return { ok: false, error: { kind: 'refused', status: 0, code: 0, diagnostics: resolved.error } }
  try {
    const password = resolved.value.secrets.get(pointer)
    if (password === undefined) throw new Error(`not resolved: ${pointer}`)
    return await signIn({ url, route }, account, password)
  } finally {
    wipeAll(resolved.value.secrets)
  }
}

/**
 * Computes the time of the renewal, on the monotonic clock. The expiry in the response counts, because sites shorten long
 * lifetimes. If the clocks differ too much, the token is used until it is rejected.
 */
function computeRenewalMs({ clock, account }: SignInContext, expires: number | undefined): number {
  const lifeMs = Math.min((expires ?? 0) - clock.now(), account.lifetimeMs)
  if (lifeMs <= 0) return Number.POSITIVE_INFINITY
  return clock.monotonicMs() + lifeMs - Math.min(60_000, lifeMs / 10)
}

import type { ServiceFailure } from './failure.js'
import { addressRefused } from './forbidden-address.js'

type NotSent = ServiceFailure & { readonly kind: 'not-sent' }

/** How long each part of making a connection may take. */
export const connectMs = 10_000

/** Until when a call may take, and what ends it before. */
export interface Limit {
  readonly signal: AbortSignal
  /** What went wrong, in words that quote nothing of what was sent or received. */
  reasonOf(error: unknown): string
  /** The failure of a call of which not a byte of the request left. */
  notSent(error: unknown): { readonly ok: false; readonly failure: NotSent }
}

/** The time counts from here on, over everything that the limit is handed to. */
export function limitOf(deadlineMs: number, stop: AbortSignal): Limit {
  const deadline = AbortSignal.timeout(deadlineMs)
  const reasonOf = (error: unknown) => (deadline.aborted ? 'no answer in time' : codeOf(error))
  return {
    signal: AbortSignal.any([stop, deadline]),
    reasonOf,
    notSent(error) {
      const reason = reasonOf(error)
      const cause = stop.aborted ? 'stopped' : causeOf(reason)
      return { ok: false, failure: { kind: 'not-sent', cause, reason: reason.replace(/^PROXY_/, '') } }
    },
  }
}

function causeOf(code: string): NotSent['cause'] {
  if (code === 'PROXY_HTTP_407') return 'proxy-sign-in'
  if (code.startsWith('PROXY_')) return 'proxy'
  if (code === addressRefused) return 'address'
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return 'name'
  if (/CERT|TLS|SSL|^UNABLE_TO_|^EPROTO$/.test(code)) return 'tls'
  return 'connection'
}

/** The code of an error: messages may quote what was sent or received. */
export function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
}

/** An error that is nothing but its code. */
export function problem(code: string): Error & { readonly code: string } {
  return Object.assign(new Error(code), { code })
}

import { setMaxListeners } from 'node:events'
import type { Result } from '../result.js'
import type { ServiceFailure } from './failure.js'
import { addressErrorCode } from './forbidden-address.js'

/** The largest answer that is read unless somebody says otherwise. */
export const defaultMaxBytes = 4 * 1024 * 1024

type NotSent = ServiceFailure & { readonly kind: 'not-sent' }

/** The time limit of each part of making a connection. */
export const connectMs = 10_000

/** Until when a call may take, and what ends it before. */
export interface Limit {
  readonly deadlineMs: number
  readonly signal: AbortSignal
  /** Returns the code of an error. Its message could quote a request or an answer. */
  readReason(error: unknown): string
  /** The failure of a call of which not a byte of the request left. */
  notSent(error: unknown): Result<never, NotSent>
}

/**
 * Runs work with a time limit, and clears the timer as soon as the work ends: combined signals, and signals with timers of
 * their own, stay in memory until a full garbage collection.
 */
export async function withDeadline<T>(
  deadlineMs: number,
  stop: AbortSignal,
  work: (limit: Limit) => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  let isOver = false
  const abort = () => ending.abort(stop.reason)
  const timer = setTimeout(
    () => {
      isOver = !ending.signal.aborted
      ending.abort(createCodeError('TIMEOUT'))
    },
    Math.min(deadlineMs, longestTimerMs),
  ).unref()
  // All calls at one time may share it: Node would warn of a leak.
  setMaxListeners(Number.POSITIVE_INFINITY, stop)
  stop.addEventListener('abort', abort)
  if (stop.aborted) abort()
  const readReason = (error: unknown) => (isOver ? 'TIMEOUT' : readErrorCode(error))
  try {
    return await work({
      deadlineMs,
      signal: ending.signal,
      readReason,
      notSent(error) {
        const reason = readReason(error)
        const cause = stop.aborted ? 'stopped' : classifyCause(reason)
        return { ok: false, error: { kind: 'not-sent', cause, reason: reason.replace(/^PROXY_/, '') } }
      },
    })
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', abort)
  }
}

/** A longer timer fires at once. */
const longestTimerMs = 2 ** 31 - 1

function classifyCause(code: string): NotSent['cause'] {
  if (code === 'PROXY_HTTP_407') return 'proxy-sign-in'
  if (code.startsWith('PROXY_')) return 'proxy'
  if (code === addressErrorCode) return 'address'
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return 'name'
  if (/CERT|TLS|SSL|^UNABLE_TO_|^EPROTO$/.test(code) || otherDoubts.test(code)) return 'tls'
  return 'connection'
}

/** Of the reasons that Node has for not believing a certificate, those that say nothing of TLS in their names. */
const otherDoubts = /^(?:INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|CRL_\w+|UNSPECIFIED)$/

/** Returns the code of an error. Its message could quote a request or an answer. */
export function readErrorCode(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
}

/** An error that is nothing but its code. */
export function createCodeError(code: string): Error & { readonly code: string } {
  return Object.assign(new Error(code), { code })
}

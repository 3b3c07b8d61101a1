import { setMaxListeners } from 'node:events'
import type { ShownCertificate } from '../plan/shown-certificate.js'
import type { Result } from '../result.js'
import type { ServiceFailure } from './failure.js'

/** The largest response that is read by default. */
export const defaultMaxBytes = 4 * 1024 * 1024

type NotSent = ServiceFailure & { readonly kind: 'not-sent' }

/** The code of the error for a site at a forbidden address. */
export const addressErrorCode = 'ADDRESS_REFUSED'

/** A step of a connection: the DNS lookup, TCP with TLS, or the CONNECT of a proxy. */
export const connectDeadlineMs = 10_000

/** The time limit of a call, and the signal that ends it. */
export interface Limit {
  readonly deadlineMs: number
  readonly signal: AbortSignal
  /** Returns the code of an error. Its message could quote a request or a response. */
  readReason(error: unknown): string
  /** Builds the failure of a call that sent no byte of the request. */
  notSent(error: unknown, shown?: ShownCertificate): Result<never, NotSent>
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
  // Concurrent calls may share the signal, and Node would warn of a leak.
  setMaxListeners(Number.POSITIVE_INFINITY, stop)
  stop.addEventListener('abort', abort)
  if (stop.aborted) abort()
  const readReason = (error: unknown) => (isOver ? 'TIMEOUT' : readErrorCode(error))
  try {
    return await work({
      deadlineMs,
      signal: ending.signal,
      readReason,
      notSent(error, shown) {
        const reason = readReason(error)
        const cause = stop.aborted ? 'stopped' : classifyCause(reason)
        const certificate = cause === 'tls' ? shown : undefined
        return {
          ok: false,
          error: {
            kind: 'not-sent',
            cause,
            reason: reason.replace(/^PROXY_/, ''),
            ...(certificate && { certificate }),
          },
        }
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

/** Codes with which Node rejects a certificate, and which do not mention TLS. */
const otherDoubts = /^(?:INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|CRL_\w+|UNSPECIFIED)$/

/** Returns the code of an error. Its message could quote a request or a response. */
export function readErrorCode(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
}

/** Creates an error that has only a code. */
export function createCodeError(code: string): Error & { readonly code: string } {
  return Object.assign(new Error(code), { code })
}

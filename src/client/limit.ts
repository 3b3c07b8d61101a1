import { failed, type ServiceFailure } from './failure.js'

/** Until when a call may take, and what ends it before. */
export interface Limit {
  readonly signal: AbortSignal
  /** What went wrong, in words that quote nothing of what was sent or received. */
  reasonOf(error: unknown): string
  /** The failure of a call of which not a byte of the request left. */
  notSent(error: unknown): { readonly ok: false; readonly failure: ServiceFailure }
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
      return failed({ kind: 'not-sent', cause: stop.aborted ? 'stopped' : causeOf(reason), reason })
    },
  }
}

function causeOf(code: string): (ServiceFailure & { kind: 'not-sent' })['cause'] {
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return 'name'
  if (/CERT|TLS|SSL|^UNABLE_TO_|^EPROTO$/.test(code)) return 'tls'
  return 'connection'
}

/** The code of an error: messages may quote what was sent or received. */
function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
}

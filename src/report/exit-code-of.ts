import type { WaitEnd } from '../apply/outcome.js'
import type { ServiceFailure } from '../client/failure.js'
import { isOwnError } from '../contract/error-body.js'
import type { Diagnostic, DiagnosticCode } from '../diagnostics/diagnostic.js'
import type { DeleteOutcome, ExportOutcome } from '../operations/outcome.js'
import type { StateFailure } from '../state/state-failure.js'
import { exitCodeOfCause } from './answer-causes.js'
import { isTlsFailure } from './certificate-faults.js'
import { type ExitCode, exitCodes } from './exit-code.js'

/** The code for how a wait ended that only read. An interrupt has the code of its signal, which only the caller knows. */
export function exitCodeOfWait(end: WaitEnd): ExitCode {
  switch (end.kind) {
    case 'ready':
      return exitCodes.done
    case 'failed':
      return exitCodes.serviceFailed
    case 'replaced':
      return exitCodes.stale
    case 'timeout':
      return end.last?.kind === 'unrecognized' ? exitCodes.unknown : exitCodes.inProgress
    case 'not-begun':
      return exitCodes.inProgress
    case 'not-allowed':
      return exitCodes.permission
    case 'interrupted':
      return exitCodes.interrupted
    default:
      return end satisfies never
  }
}

/** The code for state that cannot be used: another run has it, it is not ours to use, or it cannot be read or written. */
export function exitCodeOfState({ kind }: StateFailure): ExitCode {
  if (kind === 'overtaken') return exitCodes.locked
  const isRefused = ['newer', 'foreign', 'moved', 'promised-elsewhere'].includes(kind)
  return isRefused ? exitCodes.refused : exitCodes.state
}

/** The code for how a one-shot operation ended. A warning counts as a failure unless it was allowed. */
export function exitCodeOfOneShot(outcome: ExportOutcome | DeleteOutcome, allowWarnings = false): ExitCode {
  switch (outcome.kind) {
    case 'done':
      return exitCodes.done
    case 'warned':
      return allowWarnings ? exitCodes.done : exitCodes.serviceFailed
    case 'unknown':
      return exitCodes.unknown
    case 'not-taken':
      return exitCodeOfRequest(outcome.failure)
    case 'references':
      return exitCodeOfReferences(outcome.diagnostics)
    case 'interrupted':
      return exitCodes.interrupted
    default:
      return outcome satisfies never
  }
}

/** The code for a call that certainly changed nothing, or that only read. */
export function exitCodeOfFailure(failure: ServiceFailure): ExitCode {
  return isTlsFailure(failure) ? exitCodes.permission : (exitCodeOfCause(failure) ?? exitCodeOfKind(failure))
}

function exitCodeOfKind(failure: ServiceFailure): ExitCode {
  switch (failure.kind) {
    case 'not-sent':
      return notSentCodes[failure.cause]
    case 'unauthorized':
      return exitCodes.permission
    case 'redirected':
      // The site has another address.
      return exitCodes.refused
    case 'not-found':
      return exitCodes.unreachable
    case 'refused':
      // A status of 500 or more may come from a proxy in front of the service, but for the service's own body.
      return failure.status >= 500 && !isOwnError(failure) ? exitCodes.trouble : exitCodes.serviceFailed
    case 'not-understood':
      // Something in front compresses or caches against the request, and goes on doing so.
      return ['compressed', 'cached'].includes(failure.reason) ? exitCodes.refused : exitCodes.trouble
    case 'no-answer':
    case 'trouble':
      return exitCodes.trouble
    default:
      return failure satisfies never
  }
}

/** Returns the code of the findings of a check: success, only policy violations, missing files, or errors. */
export function exitCodeOfFindings(
  diagnostics: readonly Diagnostic[],
  failOn: 'error' | 'warning',
): ExitCode {
  const counted = diagnostics.filter(({ severity }) => severity === 'error' || severity === failOn)
  if (counted.length === 0) return exitCodes.done
  return counted.every(({ code }) => policyCodes.includes(code))
    ? exitCodes.refused
    : exitCodeOfReferences(counted)
}

/** Returns the code of unresolved references: missing or invalid. */
export function exitCodeOfReferences(diagnostics: readonly Diagnostic[]): ExitCode {
  const missing = diagnostics.every(({ code }) => missingCodes.includes(code))
  return missing ? exitCodes.missing : exitCodes.invalid
}

/** The same for a request that went out: codes that say that nothing was sent are for looks. */
function exitCodeOfRequest(failure: ServiceFailure): ExitCode {
  return failure.kind === 'redirected' ? exitCodes.permission : exitCodeOfFailure(failure)
}

const notSentCodes = {
  name: exitCodes.unreachable,
  address: exitCodes.refused,
  connection: exitCodes.unreachable,
  proxy: exitCodes.unreachable,
  'proxy-sign-in': exitCodes.permission,
  tls: exitCodes.permission,
  stopped: exitCodes.unreachable,
  'sign-in': exitCodes.trouble,
} as const

const policyCodes: readonly DiagnosticCode[] = ['policy/violated', 'policy/advised']

const missingCodes: readonly DiagnosticCode[] = ['extends/missing', 'file/missing', 'secret/missing']

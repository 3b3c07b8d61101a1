import type { ServiceFailure, UnexpectedResponse, UnexpectedResponseReason } from '../client/failure.js'
import type { Diagnostic } from '../diagnostics/diagnostic.js'
import { joinMessages } from '../plan/observation.js'
import { describeCause, explainCause, formatStatus } from './answer-causes.js'
import { describeCertificateFault, isTlsFailure } from './certificate-faults.js'
import { display } from './display.js'
import type { ExitCode } from './exit-code.js'
import { diagnosticDocument } from './findings.js'
import { removeFullStop } from './phrase.js'
import type { Sent } from './sent.js'

/** Describes a failed call; of the body only the message and the details of an error, redacted and cut. */
export function describeFailure(failure: ServiceFailure): string {
  const cause = describeCause(failure)
  const words = cause === undefined ? describeKind(failure) : `${cause}${quoteResponse(failure)}`
  return `${words}${explainCause(failure)}`
}

function describeKind(failure: ServiceFailure): string {
  switch (failure.kind) {
    case 'not-sent':
      return `${describeNotSent(failure)}${formatReason(failure)}`
    case 'no-answer':
      return `connection closed before a complete response${formatReason(failure)}`
    case 'not-understood':
      return `unexpected response (${formatStatus(failure)}): ${responseWords[failure.reason](failure)}${quoteResponse(failure)}`
    case 'redirected':
      return `unexpected redirect (${formatStatus(failure)}) to ${describeRedirect(failure)}; not followed`
    case 'not-found':
      return `no site at this address, or it is not up yet (${formatStatus(failure)})${quoteResponse(failure)}`
    case 'refused':
      return `the service rejected the request: ${formatRejection(failure)}`
    case 'unauthorized':
      return `authentication failed: ${formatRejection(failure)}`
    case 'trouble':
      return `${nameStatus(failure)} (${formatStatus(failure)})${quoteResponse(failure)}`
    default:
      return failure satisfies never
  }
}

/** Statuses by their names. RFC 9110 §15, RFC 6585 §4, RFC 8470 §5.2. */
const statusNames: Readonly<Record<number, string>> = {
  408: 'request timeout',
  425: 'too early',
  429: 'too many requests',
  500: 'internal server error',
  501: 'not implemented',
  502: 'bad gateway',
  503: 'service unavailable',
  504: 'gateway timeout',
}

/** Names the status of a failure; below 400 the code of the body says what went wrong. */
function nameStatus({ status, code }: ServiceFailure & { readonly kind: 'trouble' }): string {
  return statusNames[status < 400 ? (code ?? status) : status] ?? 'service error'
}

function formatReason(failure: Extract<ServiceFailure, { readonly kind: 'not-sent' | 'no-answer' }>): string {
  const { reason } = failure
  const certificate = 'certificate' in failure ? failure.certificate : undefined
  const fault = isTlsFailure(failure) ? describeCertificateFault(reason, certificate) : undefined
  return fault === undefined ? ` (${describeNetworkReason(reason)})` : `: ${fault} (${reason})`
}

/** Describes the failure of a call that the service rejected; the operation stands before it. */
export function describeRejection(failure: ServiceFailure): string {
  return failure.kind === 'refused' ? formatRejection(failure) : describeFailure(failure)
}

function describeNotSent({ cause, reason, proxy }: ServiceFailure & { readonly kind: 'not-sent' }): string {
  if (reason === 'CONNECTION_LOST')
    return 'the connection on which the site was read was closed before configure'
  if (proxy === undefined) return notSent[cause]
  const name = display(`${proxy.host} (${proxy.variable})`)
  if (cause === 'proxy-sign-in') return `the proxy ${name} requires authentication`
  if (reason === 'HTTP_200') return `the proxy ${name} answered with a page, or leads to a port without TLS`
  return reason.startsWith('HTTP_')
    ? `the proxy ${name} could not connect to the site`
    : `could not connect to the proxy ${name}`
}

const notSent = {
  name: 'cannot resolve the host name',
  address: 'the site has an address that Landform does not connect to',
  connection: 'could not connect',
  proxy: 'the proxy could not connect to the site',
  'proxy-sign-in': 'the proxy requires authentication',
  tls: 'could not verify the TLS connection',
  'sign-in': 'could not obtain a token',
  stopped: 'the run was stopped before the connection was established',
} as const

type ServiceRejection = Extract<ServiceFailure, { readonly kind: 'refused' | 'unauthorized' }>

function formatRejection(failure: ServiceRejection): string {
  const { code, status } = failure
  const text =
    'reason' in failure && failure.reason === 'account-rejected'
      ? rejectedAccount
      : display(joinMessages(failure), maxCharacters)
  if (code === undefined && text === '') return `HTTP ${status}`
  if (code === undefined) return status < 300 ? text : `${removeFullStop(text)} (HTTP ${status})`
  return text === '' ? `code ${code}` : `${removeFullStop(text)} (code ${code})`
}

const rejectedAccount = 'the token service rejected this account'

function quoteResponse(failure: ServiceFailure): string {
  const text = display(joinMessages(failure), maxCharacters)
  const code = 'code' in failure && failure.code !== undefined ? ` (code ${failure.code})` : ''
  return text === '' ? code : `: ${code === '' ? text : removeFullStop(text)}${code}`
}

function describeRedirect({ to, target }: ServiceFailure & { readonly kind: 'redirected' }): string {
  const where = target === undefined ? 'another address' : display(target, maxCharacters)
  return to === 'slash' ? `${where}, which only adds a slash` : where
}

const maxCharacters = 200

/** Explains short codes. Others come from Node, OpenSSL and undici, and are easy to search for. */
const networkReasons: Readonly<Record<string, string>> = {
  TIMEOUT: 'timed out',
  ENOMEM: 'this machine is out of memory, ENOMEM',
  ENOBUFS: 'this machine is out of network buffers, ENOBUFS',
  EMFILE: 'this process has too many open files, EMFILE',
  ENFILE: 'this machine has too many open files, ENFILE',
  EADDRNOTAVAIL: 'this machine has no free local port or address, EADDRNOTAVAIL',
  // The limit of a connection may pass a moment before that of the request.
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  TOKEN_REJECTED: 'the site rejected the token',
  FILE_CHANGED: 'a file changed while it was sent',
  'no-token': 'no token in the answer',
}

function describeNetworkReason(code: string): string {
  if (Object.hasOwn(networkReasons, code)) return networkReasons[code] ?? code
  const [, kind, number] = /^(HTTP|CODE)_(\d+)$/.exec(code) ?? []
  if (kind === undefined) return display(code)
  return `${kind === 'HTTP' ? 'HTTP' : 'code'} ${number}`
}

const responseWords: Readonly<Record<UnexpectedResponseReason, (response: UnexpectedResponse) => string>> = {
  'not-a-json-object': ({ place }) =>
    place === undefined ? 'not a JSON object' : `not JSON at line ${place.line}, column ${place.column}`,
  'not-a-site-root': () => 'not a site root resource',
  'unexpected-shape': ({ at = '' }) =>
    at === '' ? 'not the documented fields' : `not the documented value at ${display(at, 200)}`,
  'unexpected-status': ({ status }) => `HTTP ${status} with a body that is no error`,
  compressed: () => 'compressed, though no compression was requested',
  cached: () =>
    'a copy from a cache, though a fresh response was requested: exclude the path of the site from that cache',
  'no-configuration': () => 'no sign of a configuration',
  'no-token': () => 'no token',
  'no-export-location': () => 'no location of the exported file',
}

/** The reason for which a command failed. */
export interface CommandFailure {
  readonly exitCode: ExitCode
  readonly message: string
  /** What the run had sent; absent from commands that change no site. */
  readonly sent?: Sent
  /** The next commands or edits; several are steps in their order. */
  readonly next?: readonly string[]
  readonly diagnostics?: readonly Diagnostic[]
  /** The facts that changed since a saved plan was made, each by its name. */
  readonly moved?: readonly string[]
}

/** The machine form of a failure; its schema is `schemas/failure.schema.json`. */
export function failureDocument({
  exitCode,
  message,
  sent,
  next = [],
  diagnostics = [],
  moved,
}: CommandFailure) {
  return {
    formatVersion: 1,
    error: {
      exitCode,
      message,
      ...(sent !== undefined && { sent }),
      ...(next.length > 0 && { next: next.join('\n') }),
      diagnostics: diagnostics.map(diagnosticDocument),
      ...(moved !== undefined && { moved }),
    },
  } as const
}

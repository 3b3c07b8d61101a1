import type { ServiceFailure, UnexpectedResponse, UnexpectedResponseReason } from '../../client/failure.js'
import { isOwnError } from '../../contract/error-body.js'
import { joinMessages } from '../../plan/observation.js'
import {
  describeCause,
  explainCause,
  findCauseExit,
  formatStatus,
  suggestAfterCause,
} from '../answer-causes.js'
import { describeCertificateFault, isTlsFailure, suggestTlsRemedy } from '../certificate-faults.js'
import { display } from '../display.js'
import type { ExitName } from '../exit-code.js'
import { removeFullStop } from '../phrase.js'
import { causes, type FailureCause } from './ending.js'

/** The facts that a remedy names. */
interface Around {
  /** The path of the site. */
  readonly path?: string
  /** The remedy if the service asks for a token. */
  readonly token: string
  /** The `caFile` of the manifest. */
  readonly caFile?: string | undefined
}

const suggestTls = (failure: ServiceFailure, { caFile }: Around) => suggestTlsRemedy(failure, caFile)

/** The causes by the kind of the failure. `causeOfService` also considers responses that are not from the service. */
export const causeOfServiceKind = causes<ServiceFailure, Around>({
  'not-sent': {
    title: {
      unreachable: 'the host name cannot be resolved, or no connection can be made',
      refused: 'the site has an address that Landform does not connect to',
      permission: 'the TLS connection cannot be verified, or a proxy requires authentication',
      trouble: 'no token can be obtained',
    },
    say: failure => `${describeNotSent(failure)}${formatReason(failure)}`,
    exit: failure => (isTlsFailure(failure) ? 'permission' : notSent[failure.cause].exit),
    fix: suggestTls,
  },
  'no-answer': {
    title: { trouble: 'the connection was closed before a complete response' },
    say: failure => `connection closed before a complete response${formatReason(failure)}`,
    exit: failure => (isTlsFailure(failure) ? 'permission' : 'trouble'),
    fix: suggestTls,
  },
  'not-understood': {
    title: {
      trouble: 'the response is undocumented',
      refused: 'the response is compressed or cached',
    },
    say: failure =>
      `unexpected response (${formatStatus(failure)}): ${responseWords[failure.reason](failure)}${quoteResponse(failure)}`,
    // Something in front of the site ignores the request headers, and a retry does not change that.
    exit: ({ reason }) => (reason === 'compressed' || reason === 'cached' ? 'refused' : 'trouble'),
  },
  redirected: {
    title: 'the site redirects to another address',
    say(failure) {
      const { to, target } = failure
      const where = target === undefined ? 'another address' : display(target, maxCharacters)
      const only = to === 'slash' ? ', which only adds a slash' : ''
      return `unexpected redirect (${formatStatus(failure)}) to ${where}${only}; not followed`
    },
    exit: 'refused',
  },
  'not-found': {
    title: 'no site is at the address, or it is not up yet',
    say: failure =>
      `no site at this address, or it is not up yet (${formatStatus(failure)})${quoteResponse(failure)}`,
    exit: 'unreachable',
  },
  refused: {
    title: {
      serviceFailed: 'the service rejected the request',
      trouble: 'something in front of the service rejected the request',
    },
    say: failure => `the service rejected the request: ${formatRejection(failure)}`,
    // A status of 500 or more may come from a proxy in front of the service, unless the body is the service's own.
    exit: failure => (failure.status >= 500 && !isOwnError(failure) ? 'trouble' : 'serviceFailed'),
  },
  unauthorized: {
    title: 'authentication failed',
    say: failure => `authentication failed: ${formatRejection(failure)}`,
    exit: 'permission',
    fix: (_, { token }) => token,
  },
  trouble: {
    title: 'the service is unavailable',
    say(failure) {
      const { status, code } = failure
      // Below 400, the code in the body is the error.
      const name = statusNames[status < 400 ? (code ?? status) : status] ?? 'service error'
      return `${name} (${formatStatus(failure)})${quoteResponse(failure)}`
    },
    exit: 'trouble',
  },
})

/** Explains a failed call. Quotes only the message and details of an error body, redacted and cut. */
export function causeOfService(failure: ServiceFailure): FailureCause<Around> {
  const { say, exit, fix } = causeOfServiceKind(failure)
  const answer = describeCause(failure)
  return {
    say: `${answer === undefined ? say : `${answer}${quoteResponse(failure)}`}${explainCause(failure)}`,
    exit: findCauseExit(failure) ?? exit,
    fix: around => suggestAfterCause(failure, around) ?? fix(around),
  }
}

/** Describes a failed call. */
export function describeFailure(failure: ServiceFailure): string {
  return causeOfService(failure).say
}

/** The names of statuses. RFC 9110 §15, RFC 6585 §4, RFC 8470 §5.2. */
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

function formatReason(failure: Extract<ServiceFailure, { readonly kind: 'not-sent' | 'no-answer' }>): string {
  const { reason } = failure
  const certificate = 'certificate' in failure ? failure.certificate : undefined
  const fault = isTlsFailure(failure) ? describeCertificateFault(reason, certificate) : undefined
  return fault === undefined ? ` (${describeNetworkReason(reason)})` : `: ${fault} (${reason})`
}

/** Describes the rejection of a call, to be placed after the name of the operation. */
export function describeRejection(failure: ServiceFailure): string {
  return failure.kind === 'refused' ? formatRejection(failure) : describeFailure(failure)
}

function describeNotSent({ cause, reason, proxy }: ServiceFailure & { readonly kind: 'not-sent' }): string {
  if (reason === 'CONNECTION_LOST') return 'the connection was closed between reading the site and configure'
  if (proxy === undefined) return notSent[cause].say
  const name = display(`${proxy.host} (${proxy.variable})`)
  if (cause === 'proxy-sign-in') return `the proxy ${name} requires authentication`
  if (reason === 'HTTP_200') return `the proxy ${name} responded with a page, or leads to a port without TLS`
  return reason.startsWith('HTTP_')
    ? `the proxy ${name} could not connect to the site`
    : `could not connect to the proxy ${name}`
}

const notSent = {
  name: { say: 'cannot resolve the host name', exit: 'unreachable' },
  address: { say: 'the site has an address that Landform does not connect to', exit: 'refused' },
  connection: { say: 'could not connect', exit: 'unreachable' },
  proxy: { say: 'the proxy could not connect to the site', exit: 'unreachable' },
  'proxy-sign-in': { say: 'the proxy requires authentication', exit: 'permission' },
  tls: { say: 'could not verify the TLS connection', exit: 'permission' },
  'sign-in': { say: 'could not obtain a token', exit: 'trouble' },
  stopped: { say: 'the run was stopped before the connection was established', exit: 'unreachable' },
} as const satisfies Readonly<Record<string, { readonly say: string; readonly exit: ExitName }>>

function formatRejection(
  failure: Extract<ServiceFailure, { readonly kind: 'refused' | 'unauthorized' }>,
): string {
  const { code, status } = failure
  const quoted = display(joinMessages(failure), maxCharacters)
  const text =
    'reason' in failure && failure.reason === 'account-rejected'
      ? `the token service rejected ${quoted === '' ? 'this account' : quoted}`
      : quoted
  if (code === undefined && text === '') return `HTTP ${status}`
  if (code === undefined) return status < 300 ? text : `${removeFullStop(text)} (HTTP ${status})`
  return text === '' ? `code ${code}` : `${removeFullStop(text)} (code ${code})`
}

function quoteResponse(failure: ServiceFailure): string {
  const text = display(joinMessages(failure), maxCharacters)
  const code = 'code' in failure && failure.code !== undefined ? ` (code ${failure.code})` : ''
  return text === '' ? code : `: ${code === '' ? text : removeFullStop(text)}${code}`
}

const maxCharacters = 200

/** Descriptions of short codes. Other codes come from Node, OpenSSL and undici, and are easy to search for. */
const networkReasons: Readonly<Record<string, string>> = {
  TIMEOUT: 'timed out',
  ENOMEM: 'this machine is out of memory, ENOMEM',
  ENOBUFS: 'this machine is out of network buffers, ENOBUFS',
  EMFILE: 'this process has too many open files, EMFILE',
  ENFILE: 'this machine has too many open files, ENFILE',
  EADDRNOTAVAIL: 'this machine has no free local port or address, EADDRNOTAVAIL',
  // The time limit of the connection may expire just before that of the request.
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  TOKEN_REJECTED: 'the site rejected the token',
  FILE_CHANGED: 'a file changed while it was sent',
  'no-token': 'no token in the response',
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
  'unexpected-status': ({ status }) => `HTTP ${status} with a body that is not an error`,
  compressed: () => 'compressed, though no compression was requested',
  cached: () =>
    'a copy from a cache, though a fresh response was requested: exclude the path of the site from that cache',
  'no-configuration': () => 'no sign of a configuration',
  'no-token': () => 'no token',
  'no-export-location': () => 'no location of the exported file',
}

import type { AnswerCause } from '../client/answer-cause.js'
import type { ForeignAnswer, Sender, ServiceFailure } from '../client/failure.js'
import { clientCertificateRemedy } from './certificate-faults.js'
import { display } from './display.js'
import type { ExitName } from './exit-code.js'

interface CauseRow {
  /** Describes the response, before its status. Default: the description of the kind of the failure. */
  readonly describe?: (answer: ForeignAnswer) => string
  readonly exit: ExitName
  /** Suggests what to do, with the path of the site. Default: the suggestion for the kind of the failure. */
  readonly suggest?: (path: string) => string
  /** True if the service itself may have asked for a token. */
  readonly mayWantToken?: true
}

const letPass = (path: string, gateway = 'it') =>
  `allow requests to ${path} through ${gateway}, or write an address in \`spec.site.url\` that reaches the service without it`

const rows: Readonly<Record<AnswerCause, CauseRow>> = {
  'sign-in': {
    describe: answer =>
      'target' in answer
        ? `a sign-in page instead of the service: redirected to ${display(answer.target ?? '', 200)}, not followed`
        : 'a sign-in page instead of the service',
    exit: 'permission',
    suggest: path => `if a proxy or gateway in front of the service asks to sign in: ${letPass(path)}`,
    mayWantToken: true,
  },
  moved: {
    // The site may have moved.
    exit: 'refused',
    suggest: path =>
      `if the site has moved to that address, write it in \`spec.site.url\`; if a proxy or gateway in front of it asks to sign in: ${letPass(path)}`,
  },
  'https-port': {
    describe: () => 'the port expects https',
    exit: 'refused',
    suggest: () => 'write https:// in `spec.site.url`',
  },
  'client-certificate': {
    describe: () => 'the server requires a client certificate that it trusts',
    exit: 'permission',
    suggest: () => clientCertificateRemedy,
  },
  'proxy-account': {
    describe: ({ realm = '' }) =>
      `something in front of the service asks for an account of its own${realm === '' ? '' : `, realm \`${display(realm, 100)}\``}`,
    exit: 'permission',
    suggest: path => `Landform cannot sign in to a proxy or gateway: ${letPass(path)}`,
  },
  'too-large': { exit: 'trouble' },
  maintenance: {
    describe: () => 'a maintenance page instead of the service',
    exit: 'trouble',
  },
  unavailable: { exit: 'trouble' },
  denied: {
    describe: () => 'something in front of the service denied access',
    exit: 'permission',
    suggest: path => letPass(path, 'the proxy or gateway in front of the service'),
    mayWantToken: true,
  },
  page: { exit: 'trouble' },
}

/** Selects a response that is not from the service, as `isForeignAnswer` does. */
function findForeign(failure: ServiceFailure): ForeignAnswer | undefined {
  const isForeign = failure.kind !== 'not-sent' && 'cause' in failure && failure.cause !== undefined
  return isForeign ? (failure as ForeignAnswer) : undefined
}

/** Describes the cause of a response that is not from the service; `undefined` if the kind of the failure describes it. */
export function describeCause(failure: ServiceFailure): string | undefined {
  const answer = findForeign(failure)
  const words = answer && rows[answer.cause].describe?.(answer)
  return words && `${words} (${formatStatus(failure as ForeignAnswer)})`
}

/**
 * Explains the cause further, after the description of the response: the request may be too large for something in front
 * of the service. Only status 413 is certain.
 */
export function explainCause(failure: ServiceFailure): string {
  const answer = findForeign(failure)
  if (answer?.cause !== 'too-large') return ''
  const { status, sentBytes = 0 } = answer
  const length =
    sentBytes < 100_000 ? `${(sentBytes / 1000).toFixed(1)} KB` : `${(sentBytes / 1e6).toFixed(1)} MB`
  const size = sentBytes === 0 ? '' : ` of ${length}`
  // No request without a license is that long.
  const license = sentBytes > 200_000 ? ', mostly its license,' : ''
  return `; the request${size}${license} ${status === 413 ? 'is' : 'may be'} larger than something in front of the service allows: in an nginx ingress, \`proxy-body-size\``
}

/** Finds the exit code for a response that is not from the service. */
export function findCauseExit(failure: ServiceFailure): ExitName | undefined {
  const answer = findForeign(failure)
  return answer && rows[answer.cause].exit
}

/**
 * Suggests what to do about a response that is not from the service; `token` is the remedy if the service asks for a
 * token after all. `undefined` if the kind of the failure suggests it.
 */
export function suggestAfterCause(
  failure: ServiceFailure,
  { path = 'the administrator API', token }: { readonly path?: string; readonly token: string },
): readonly string[] | undefined {
  const answer = findForeign(failure)
  const { suggest, mayWantToken }: Partial<CauseRow> = answer ? rows[answer.cause] : {}
  const step = suggest?.(path)
  if (step === undefined) return undefined
  return mayWantToken ? [step, `if the service itself asks for a token: ${token}`] : [step]
}

/** Formats the status of a response, and the server that sent it if that is not the service. */
export function formatStatus({ status, server = '' }: { readonly status: number } & Sender): string {
  return server === '' ? `HTTP ${status}` : `HTTP ${status}, server \`${display(server, 60)}\``
}

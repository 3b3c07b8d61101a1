import type { ServiceFailure } from '../client/failure.js'
import { wordsOf } from '../plan/said.js'
import { display } from './display.js'
import { describeNetworkReason } from './wording/network-reason.js'
import { describeUnexpectedResponse } from './wording/unexpected-response.js'

/** What went wrong in a call, in words; of the body only the message and the details of an error, redacted and cut. */
export function describeFailure(failure: ServiceFailure): string {
  switch (failure.kind) {
    case 'not-sent':
      return `${notSent[failure.cause]} (${describeNetworkReason(failure.reason)}); nothing was sent`
    case 'no-answer':
      return `the connection gave no whole answer (${describeNetworkReason(failure.reason)})`
    case 'not-understood':
      return `the answer (HTTP ${failure.status}) is not of the service: ${describeUnexpectedResponse(failure)}${quoted(failure)}`
    case 'redirected':
      return `the answer (HTTP ${failure.status}) ${pointing(failure)}`
    case 'sign-in-page':
      return `the answer (HTTP ${failure.status}) is a page to sign in at, in place of the service`
    case 'not-found':
      return `the site is not at this address, or not up yet (HTTP ${failure.status})${quoted(failure)}`
    case 'refused':
      return `the service refused: ${said(failure)}`
    case 'unauthorized':
      return `the service did not accept the sign-in: ${said(failure)}`
    case 'trouble':
      return `the service is in trouble (HTTP ${failure.status})${quoted(failure)}`
    default:
      return failure satisfies never
  }
}

const notSent = {
  name: 'the host name cannot be resolved',
  address: 'the site stands at an address that Landform sends nothing to',
  connection: 'no connection could be made',
  proxy: 'the proxy gave no way to the site',
  'proxy-sign-in': 'the proxy wants a user name and a password of its own',
  tls: 'the secure connection could not be verified',
  'sign-in': 'no token could be had at the token service',
  stopped: 'the run was stopped before the connection stood',
} as const

type Refusal = Extract<ServiceFailure, { readonly kind: 'refused' | 'unauthorized' }>

function said(failure: Refusal): string {
  const { code, status } = failure
  const text = 'reason' in failure ? rejectedAccount : display(wordsOf(failure), maxCharacters)
  if (code === undefined) return text === '' ? `HTTP ${status}` : text
  return text === '' ? `code ${code}` : `${text} (code ${code})`
}

const rejectedAccount = 'the token service rejected this account'

/** Words of an answer that is no refusal of the service, where it has some. */
function quoted(failure: ServiceFailure): string {
  const text = display(wordsOf(failure), maxCharacters)
  const code = 'code' in failure && failure.code !== undefined ? ` (code ${failure.code})` : ''
  return text === '' ? code : `: ${text}${code}`
}

function pointing({ to, target }: ServiceFailure & { readonly kind: 'redirected' }): string {
  const where = target === undefined ? 'another address' : display(target, maxCharacters)
  if (to === 'slash') return `points to ${where}, which only adds a slash, and is never followed`
  if (to === 'sign-in') return `points to ${where}, where one signs in, and is never followed`
  return `points to ${where}, which is never followed`
}

const maxCharacters = 200

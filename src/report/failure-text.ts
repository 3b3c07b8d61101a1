import type { ServiceFailure } from '../client/failure.js'
import { display } from './display.js'

/** What went wrong in a call, in words; without a word of the body but the message of an error body. */
export function describeFailure(failure: ServiceFailure): string {
  switch (failure.kind) {
    case 'not-sent':
      return `${notSent[failure.cause]} (${display(failure.reason)}); nothing was sent`
    case 'no-answer':
      return `the connection gave no whole answer (${display(failure.reason)})`
    case 'not-understood':
      return `the answer (HTTP ${failure.status}) is not of the service: ${display(failure.reason)}`
    case 'redirected':
      return `the answer (HTTP ${failure.status}) points to another address, which is never followed`
    case 'refused':
      return `the service refused: ${said(failure)}`
    case 'unauthorized':
      return `the service did not accept the sign-in: ${said(failure)}`
    case 'trouble':
      return `the service is in trouble (HTTP ${failure.status})`
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

function said({ code, message }: { readonly code: number; readonly message: string }): string {
  const text = display(message.trim(), 200)
  return text === '' ? `code ${code}` : `${text} (code ${code})`
}

import { isNotUpYet, type ServiceFailure } from '../../src/client/failure.js'

const notSent = (cause: Extract<ServiceFailure, { kind: 'not-sent' }>['cause']): ServiceFailure => ({
  kind: 'not-sent',
  cause,
  reason: 'x',
})
const noJson = (status: number): ServiceFailure => ({
  kind: 'not-understood',
  status,
  reason: 'not-a-json-object',
})

test.each<ServiceFailure>([
  notSent('name'),
  notSent('connection'),
  { kind: 'no-answer', reason: 'UND_ERR_SOCKET' },
  { kind: 'trouble', status: 502 },
  { kind: 'trouble', status: 503, retryAfterMs: 1000 },
  { kind: 'trouble', status: 504 },
  noJson(404),
  { kind: 'not-found', status: 404 },
  noJson(503),
])('%j may be an address that is not up yet', failure => {
  expect(isNotUpYet(failure)).toBe(true)
})

test.each<ServiceFailure>([
  ...(['tls', 'proxy', 'proxy-sign-in', 'address', 'stopped', 'sign-in'] as const).map(notSent),
  { kind: 'unauthorized', status: 401, code: 401, message: '' },
  { kind: 'unauthorized', status: 403, code: 403, message: '' },
  { kind: 'unauthorized', status: 200, code: 499, message: 'Token Required.' },
  { kind: 'refused', status: 404, code: 404, message: 'There is no such resource.' },
  { kind: 'redirected', status: 302 },
  { kind: 'trouble', status: 429 },
  { kind: 'trouble', status: 500 },
  noJson(200),
  { kind: 'sign-in-page', status: 200 },
  { kind: 'not-found', status: 404, message: 'There is no such resource.' },
])('%j is of an address that is up', failure => {
  expect(isNotUpYet(failure)).toBe(false)
})

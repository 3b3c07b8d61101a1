import { decode } from '../../src/client/decode.js'
import { isNotUpYet, isProven, type ServiceFailure } from '../../src/client/failure.js'

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
])('%j may be from an address that is not up yet', failure => {
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
  { kind: 'unauthorized', status: 200, message: '', cause: 'sign-in' },
  { kind: 'not-found', status: 404, message: 'There is no such resource.' },
])('%j is from an address that is up', failure => {
  expect(isNotUpYet(failure)).toBe(false)
})

/** Returns true if a response to `configure` proves that the service began nothing. */
function proves(body: unknown, status = 200): boolean {
  const reply = decode('done', { status, bytes: Buffer.from(JSON.stringify(body)) })
  return !reply.ok && isProven(reply.error)
}

const error = (changes: object) => ({ error: { code: 400, message: 'no', details: null, ...changes } })

test.each([400, 403, 404, 409, 413, 422, 498, 499, 500])(
  'code %d in an error body of the service is a rejection',
  code => {
    expect(proves(error({ code }))).toBe(true)
    expect(proves(error({ code, details: [] }))).toBe(true)
    expect(proves(error({ code, details: ['why'] }), 400)).toBe(true)
  },
)

test.each<readonly [unknown, number?]>([
  [{ status: 'error', message: 'upstream timed out' }],
  [{ status: 'error', code: 400, message: 'no', details: null }],
  ...[-1, 0, 1, 200, 399, 444, 460, 496, 502, 504, 520, 600, 1015, 4000].map(
    code => [error({ code })] as const,
  ),
  ...['400', 'GatewayTimeout', null, 400.5, undefined].map(code => [error({ code })] as const),
  [error({ message: '' })],
  [error({ message: 7 })],
  [error({ message: undefined })],
  [error({ details: undefined })],
  [error({ details: {} })],
  [error({ details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo' }] })],
  [{ error: 'no' }, 400],
  [{ ...error({}), status: { state: 'in_progress', warnings: [] } }],
  [{ ...error({}), status: 'error' }],
  [error({}), 502],
  [error({}), 504],
  [{ message: 'Forbidden' }, 403],
])('%j with HTTP %d proves nothing', (body, status) => {
  expect(proves(body, status)).toBe(false)
})

import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defaultMaxBytes } from '../../../src/client/limit.js'
import type { Reply } from '../../support/http-double.js'

/** The operations, each with the successful response of the service document. */
export const successes = {
  root: { resources: ['orgs'], fullVersion: '11.2.0', status: { state: 'ready' } },
  configure: { resources: ['orgs'], fullVersion: '11.2.0', status: { state: 'in_progress' } },
  update: { status: 'success' },
  exportSite: { status: 'success', location: '/backups/1.portalsite' },
  validate: { status: 'success' },
  deleteAll: { status: 'success' },
} as const satisfies Readonly<Record<string, object>>

export type Answered = keyof typeof successes

/** The exit codes, in the order of `successes`. */
type Codes = readonly [
  root: number,
  configure: number,
  update: number,
  exportSite: number,
  validate: number,
  deleteAll: number,
]

/** A response, and the exit code of each operation. */
export type AnswerRow = readonly [name: string, answer: (success: object) => Reply, codes: Codes]

function whole(status: number, body: string | Buffer, headers = ''): Buffer {
  const bytes = Buffer.from(body)
  const head = `HTTP/1.1 ${status} X\r\n${headers}content-length: ${bytes.byteLength}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes])
}

const json =
  (body: unknown, status = 200, headers = '') =>
  () =>
    whole(status, JSON.stringify(body), headers)
const said = { message: 'Not possible.', details: null }
const error = (code: unknown, status = 200, more = {}) => json({ error: { code, ...said, ...more } }, status)
const page =
  (status: number, title: string, headers = '') =>
  () =>
    whole(status, `<html><head><title>${title}</title></head><body>nginx</body></html>`, headers)
const redirect = (status: number, location: string) => () => whole(status, '', `location: ${location}\r\n`)

/**
 * The forms of responses, by a server or by something in front of it. `transcripts/answers.md` has the messages;
 * `decode.test.ts` has the other statuses of each form.
 */
export const answers: readonly AnswerRow[] = [
  ['the success of the document', success => whole(200, JSON.stringify(success)), [0, 0, 0, 0, 0, 0]],
  [
    'the same after `100 Continue`',
    success => `HTTP/1.1 100 Continue\r\n\r\n${whole(200, JSON.stringify(success))}`,
    [0, 0, 0, 0, 0, 0],
  ],
  [
    'the same after `103 Early Hints`',
    success => `HTTP/1.1 103 X\r\nlink: x\r\n\r\n${whole(200, JSON.stringify(success))}`,
    [0, 0, 0, 0, 0, 0],
  ],
  ['the same under HTTP 202', success => whole(202, JSON.stringify(success)), [0, 0, 0, 0, 0, 0]],
  [
    'the same behind a byte order mark',
    success => whole(200, `\ufeff${JSON.stringify(success)}`),
    [0, 0, 0, 0, 0, 0],
  ],
  [
    'the same, compressed by gzip',
    success => whole(200, gzipSync(JSON.stringify(success)), 'content-encoding: gzip\r\n'),
    [0, 0, 0, 0, 0, 0],
  ],
  [
    'the same, compressed by br',
    success => whole(200, brotliCompressSync(JSON.stringify(success)), 'content-encoding: br\r\n'),
    [0, 0, 0, 0, 0, 0],
  ],
  [
    'something compressed by zstd',
    () => whole(200, 'abc', 'content-encoding: zstd\r\n'),
    [78, 4, 4, 4, 78, 4],
  ],
  ['the same under HTTP 503', success => whole(503, JSON.stringify(success)), [75, 4, 4, 4, 75, 4]],
  ['the error body', error(400), [5, 5, 5, 5, 5, 5]],
  ['the error body under HTTP 400', error(400, 400), [5, 5, 5, 5, 5, 5]],
  ['the error body with code 500', error(500), [5, 5, 5, 5, 5, 5]],
  ['the error body with code 500 under HTTP 500', error(500, 500), [5, 4, 5, 5, 5, 5]],
  ['the error body under HTTP 503', error(503, 503), [75, 4, 4, 4, 75, 4]],
  ['the error body with a code of gateways, 504', error(504), [75, 4, 4, 4, 75, 4]],
  ['the error body with code 498', error(498), [77, 77, 77, 77, 77, 77]],
  ['the error body with code 403 under HTTP 403', error(403, 403), [77, 77, 77, 77, 77, 77]],
  ['the error body with details', error(400, 200, { details: ['a: x', 'b'] }), [5, 5, 5, 5, 5, 5]],
  ['an error body without a code', json({ error: said }), [5, 4, 5, 5, 5, 5]],
  ['an error body whose code is a text', error('LICENSE'), [5, 4, 5, 5, 5, 5]],
  ['a code and a message alone', json({ code: 500, message: 'Not possible.' }), [5, 4, 5, 5, 5, 5]],
  [
    'a status that is an error',
    json({ status: 'error', messages: ['Not possible.'], code: 409 }),
    [5, 4, 5, 5, 5, 5],
  ],
  [
    'a status that is failed, with a statusMessage',
    json({ status: 'failed', statusMessage: 'Not possible.' }),
    [5, 4, 5, 5, 5, 5],
  ],
  ['an error that is a text', json({ error: 'Not possible.' }), [75, 4, 4, 4, 75, 4]],
  [
    'the message of a gateway, under HTTP 404',
    json({ message: 'no Route matched' }, 404),
    [69, 4, 4, 4, 75, 4],
  ],
  [
    'the status of a Kubernetes API, under HTTP 403',
    json({ kind: 'Status', status: 'Failure', message: 'forbidden', code: 403 }, 403),
    [77, 4, 77, 77, 77, 77],
  ],
  ['success that is false', json({ success: false }), [75, 4, 4, 4, 75, 4]],
  ['SUCCESS in capitals', json({ status: 'SUCCESS' }), [75, 4, 0, 4, 0, 0]],
  ['a list', json([]), [75, 4, 4, 4, 75, 4]],
  ['nothing', () => whole(200, ''), [75, 4, 4, 4, 75, 4]],
  ['nothing, under HTTP 204', () => whole(204, ''), [75, 4, 4, 4, 75, 4]],
  ['half an object, as a whole body', () => whole(200, '{"status":"succ'), [75, 4, 4, 4, 75, 4]],
  ['a page', page(200, 'Welcome'), [75, 4, 4, 4, 75, 4]],
  ['a login page', page(200, 'Sign in'), [77, 4, 4, 4, 77, 4]],
  ['a page under HTTP 400', page(400, '400 Bad Request'), [75, 4, 4, 4, 75, 4]],
  ['a page under HTTP 401', page(401, '401 Authorization Required'), [77, 4, 77, 77, 77, 77]],
  ['a page under HTTP 403', page(403, '403 Forbidden'), [77, 4, 77, 77, 77, 77]],
  ['a page under HTTP 404', page(404, '404 Not Found'), [69, 4, 4, 4, 75, 4]],
  ['a page under HTTP 413', page(413, '413 Request Entity Too Large'), [75, 4, 4, 4, 75, 4]],
  ['a page under HTTP 429', page(429, '429 Too Many Requests', 'retry-after: 1\r\n'), [75, 4, 4, 4, 75, 4]],
  ['a page under HTTP 500', page(500, 'HTTP Status 500 – Internal Server Error'), [75, 4, 4, 4, 75, 4]],
  ['a page under HTTP 503', page(503, '503 Service Temporarily Unavailable'), [75, 4, 4, 4, 75, 4]],
  ['a redirect to a login', redirect(302, '/login?token=secret'), [77, 4, 4, 4, 77, 4]],
  [
    'a redirect to another address',
    redirect(307, 'https://other.example.org/portal/admin'),
    [78, 4, 4, 4, 77, 4],
  ],
  ['a redirect without a target', () => whole(302, ''), [78, 4, 4, 4, 77, 4]],
  ['more than is read', () => whole(200, `"${'x'.repeat(defaultMaxBytes)}"`), [75, 4, 4, 4, 75, 4]],
  [
    'an answer that is cut off',
    success => whole(200, JSON.stringify(success)).subarray(0, -3),
    [75, 4, 4, 4, 75, 4],
  ],
  ['the head of an answer', () => 'HTTP/1.1 200 OK\r\ncontent-', [75, 4, 4, 4, 75, 4]],
  ['no byte', () => '', [75, 4, 4, 4, 75, 4]],
  ['a reset', () => ({ close: 'reset' }), [75, 4, 4, 4, 75, 4]],
]

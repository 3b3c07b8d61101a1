import type { Result } from '../result.js'
import type { ObjectStore } from './object-store.js'
import {
  parseS3Code,
  parseS3Failure,
  parseS3Page,
  runHeader,
  type S3Answer,
  type S3Request,
} from './s3-answer.js'
import { isSiteKey, siteKey } from './site-key.js'
import type { S3Reason } from './state-failure.js'

/** Signs a request and sends it once. */
export type SendToS3 = (request: S3Request) => Promise<Result<S3Answer, S3Reason>>

/** Objects of a bucket: each site has a folder below the prefix, which is empty for the whole bucket. */
export function s3Store(prefix: string, send: SendToS3): ObjectStore {
  const root = prefix === '' ? '' : `${prefix}/`
  const failed = (answer: S3Answer) => ({ ok: false, error: parseS3Failure(answer) }) as const
  const list = async (below: string, delimiter?: '/'): Promise<Result<readonly string[], S3Reason>> => {
    const names: string[] = []
    for (let next: string | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
      const query = {
        'list-type': '2',
        prefix: below,
        ...(delimiter !== undefined && { delimiter }),
        ...(next !== undefined && { 'continuation-token': next }),
      }
      const reply = await send({ method: 'GET', key: '', query })
      if (!reply.ok) return reply
      if (reply.value.status !== 200) return failed(reply.value)
      const page = parseS3Page(reply.value.bytes)
      if (page === undefined) return { ok: false, error: { kind: 's3', cause: 'not-object-storage' } }
      names.push(...page.names)
      next = page.next
    }
    return { ok: true, value: names.map(name => name.slice(below.length)) }
  }
  return {
    kind: 's3',
    probeName: `${root}landform-probe.json`,
    keyOf: siteKey,
    nameOf: (key, serial) => `${root}${key}/${String(serial).padStart(6, '0')}.json`,
    async create(key, { text, run }) {
      const headers = { 'if-none-match': '*', [runHeader]: run, 'content-type': 'application/json' }
      const reply = await send({ method: 'PUT', key, headers, body: Buffer.from(text) })
      if (!reply.ok) return reply
      const { status } = reply.value
      return status === 200 || status === 412 ? { ok: true, value: status === 200 } : failed(reply.value)
    },
    async read(key) {
      const reply = await send({ method: 'GET', key })
      if (!reply.ok) return reply
      const { status, bytes, run = '' } = reply.value
      if (status === 200) return { ok: true, value: { text: bytes.toString('utf8'), run } }
      // Of anything else that is not found, it is unknown whether there is a version.
      const isMissing = status === 404 && parseS3Code(bytes) === 'NoSuchKey'
      return isMissing ? { ok: true, value: undefined } : failed(reply.value)
    },
    async listSerials(key) {
      const names = await list(`${root}${key}/`)
      if (!names.ok) return names
      return { ok: true, value: names.value.map(name => Number(/^(\d{6,})\.json$/.exec(name)?.[1] ?? 0)) }
    },
    async listKeys() {
      const names = await list(root, '/')
      return names.ok
        ? { ok: true, value: names.value.map(name => name.replace(/\/$/, '')).filter(isSiteKey) }
        : names
    },
  }
}

import { randomBytes } from 'node:crypto'
import type { Result } from '../result.js'
import {
  parseS3Code,
  parseS3Failure,
  parseS3Page,
  runHeader,
  type S3Answer,
  type S3Request,
} from './s3-answer.js'
import type { S3Cause, S3Reason, StateFailure, StateReply } from './state-failure.js'

/** What a bucket needs of the outside. */
export interface S3Ports {
  /** Signs a request and sends it once. */
  send(request: S3Request): Promise<Result<S3Answer, S3Reason>>
  pause(milliseconds: number): Promise<void>
}

/** Objects that are created once and never changed. */
export interface S3Bucket {
  /** Reads an object; `undefined` only where the server says that there is none. */
  get(key: string): Promise<StateReply<string | undefined>>
  /** Creates an object durably; false where it exists already. */
  create(key: string, text: string): Promise<StateReply<boolean>>
  /** Lists the keys that begin with a prefix, or with a delimiter what they have in common up to it. */
  list(prefix: string, delimiter?: '/'): Promise<StateReply<readonly string[]>>
}

/** Pauses between retries, as long in all as it takes a server to restart. Every request can be repeated. */
const pausesMs = [200, 500, 1000, 2000, 4000]

const passing: readonly S3Cause[] = ['unreachable', 'busy']

/**
 * Opens a bucket. Its first write verifies that the server keeps to the condition of a write, on the object `probeKey`:
 * where it does not, two runs could each believe that they hold a site.
 */
export function openS3Bucket(where: string, probeKey: string, { send, pause }: S3Ports): S3Bucket {
  const failed = (kind: StateFailure['kind'], reason: S3Reason) =>
    ({ ok: false, error: { kind, where, reason } }) as const
  const wrong = (cause: S3Cause) => failed('unwritable', { kind: 's3', cause })

  /** Sends until there is an answer with an expected status. */
  const ask = async (
    kind: 'unreadable' | 'unwritable',
    request: S3Request,
    isExpected: (answer: S3Answer) => boolean,
  ): Promise<StateReply<S3Answer>> => {
    for (let tries = 0; ; tries += 1) {
      const answer = await send(request)
      if (answer.ok && isExpected(answer.value)) return answer
      const reason = answer.ok ? parseS3Failure(answer.value) : answer.error
      const waitMs = passing.includes(reason.cause) ? pausesMs[tries] : undefined
      if (waitMs === undefined) return failed(kind, reason)
      await pause(waitMs)
    }
  }
  const read = (kind: 'unreadable' | 'unwritable', key: string) => ask(kind, { method: 'GET', key }, isRead)
  const put = (key: string, { text, run }: { readonly text: string; readonly run: string }) => {
    const headers = { 'if-none-match': '*', [runHeader]: run, 'content-type': 'application/json' }
    return ask('unwritable', { method: 'PUT', key, headers, body: Buffer.from(text) }, isWritten)
  }

  const probe = async (): Promise<StateReply<void>> => {
    const probing = { text: '{}\n', run: randomBytes(12).toString('hex') }
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await put(probeKey, probing)
      if (!answer.ok) return answer
      if (answer.value.status === 412) return { ok: true, value: undefined }
    }
    return wrong('ignores-conditions')
  }
  let isProbed = false

  return {
    async get(key) {
      const answer = await read('unreadable', key)
      if (!answer.ok) return answer
      return {
        ok: true,
        value: answer.value.status === 404 ? undefined : answer.value.bytes.toString('utf8'),
      }
    },
    async create(key, text) {
      if (!isProbed) {
        const probed = await probe()
        if (!probed.ok) return probed
        isProbed = true
      }
      const run = randomBytes(12).toString('hex')
      const answer = await put(key, { text, run })
      if (!answer.ok) return answer
      // Whatever the server answered, its object decides: an answer may be lost, and so may a write.
      const stored = await read('unwritable', key)
      if (!stored.ok) return stored
      if (stored.value.status === 404) return wrong('lost-write')
      const isOurs = stored.value.run === run
      return answer.value.status === 412 || isOurs ? { ok: true, value: isOurs } : wrong('ignores-conditions')
    },
    async list(prefix, delimiter) {
      const names: string[] = []
      for (let next: string | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
        const query = {
          'list-type': '2',
          prefix,
          ...(delimiter !== undefined && { delimiter }),
          ...(next !== undefined && { 'continuation-token': next }),
        }
        const answer = await ask(
          'unreadable',
          { method: 'GET', key: '', query },
          ({ status }) => status === 200,
        )
        if (!answer.ok) return answer
        const page = parseS3Page(answer.value.bytes)
        if (page === undefined) return failed('unreadable', { kind: 's3', cause: 'not-object-storage' })
        names.push(...page.names)
        next = page.next
      }
      return { ok: true, value: names }
    },
  }
}

function isRead({ status, bytes }: S3Answer): boolean {
  // Of anything else that is not found, it is unknown whether there is a version.
  return status === 200 || (status === 404 && parseS3Code(bytes) === 'NoSuchKey')
}

function isWritten({ status }: S3Answer): boolean {
  return status === 200 || status === 412
}

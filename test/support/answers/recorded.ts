import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../manifests.js'
import type { Answer } from '../real/ask.js'

/** An answer of a real server, without what differs from one run to the next. */
export interface RecordedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Of JSON its value, of anything else its text. */
  readonly body: unknown
}

/** The answers of one real server, as `npm run verify -- real-servers --record` keeps them in `test/recorded/`. */
export interface Recording {
  readonly server: string
  readonly version: string
  readonly recorded: string
  /** What the server could not be brought to, and why. */
  readonly without: Readonly<Partial<Record<string, string>>>
  readonly answers: Readonly<Record<string, RecordedAnswer>>
}

/** The path of a recording. */
export function pathOfRecording(name: string): string {
  return join(root, 'test', 'recorded', `${name}.json`)
}

/** Reads a recording. */
export function readRecording<R = Recording>(name: string): R {
  return JSON.parse(readFileSync(pathOfRecording(name), 'utf8')) as R
}

/** The headers that a client may depend on. */
const kept = /^(?:content-type|retry-after|www-authenticate|x-amz-meta-.*|etag)$/

/** Removes from an answer what differs from one run to the next. */
export function normalizeAnswer({ status, headers, body }: Answer): RecordedAnswer {
  const names = Object.keys(headers).filter(name => kept.test(name))
  return {
    status,
    headers: Object.fromEntries(names.sort().map(name => [name, `${headers[name]}`])),
    body: `${headers['content-type']}`.startsWith('application/json')
      ? normalizeJson(JSON.parse(body))
      : normalizeText(body),
  }
}

const changing: Readonly<Record<string, string>> = {
  uid: '00000000-0000-0000-0000-000000000000',
  resourceVersion: '1',
  creationTimestamp: '2026-11-28T00:00:00Z',
  deletionTimestamp: '2026-11-28T00:00:00Z',
  time: '2026-11-28T00:00:00Z',
  continue: 'page-2',
}

function normalizeJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalizeJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      typeof one === 'string' && one !== '' && Object.hasOwn(changing, name)
        ? changing[name]
        : normalizeJson(one),
    ]),
  )
}

/** Elements of XML with their usual text. */
const elements: Readonly<Record<string, string>> = {
  RequestId: 'request-1',
  HostId: 'host-1',
  LastModified: '2026-11-28T00:00:00.000Z',
  NextContinuationToken: 'page-2',
  ContinuationToken: 'page-2',
}

function normalizeText(text: string): string {
  return text.replaceAll(/<(\w+)>([^<]*)<\/\1>/g, (whole, name: string) =>
    Object.hasOwn(elements, name) ? `<${name}>${elements[name]}</${name}>` : whole,
  )
}

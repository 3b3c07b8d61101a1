import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../manifests.js'
import type { Answer } from '../real/ask.js'

/** A response of a real server, without the parts that change from run to run. */
export interface RecordedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The value of a JSON body, otherwise the text. */
  readonly body: unknown
}

/** The answers of one real server, as `npm run verify -- real-servers --record` keeps them in `test/recorded/`. */
export interface Recording {
  readonly server: string
  readonly version: string
  readonly recorded: string
  /** The answers that could not be recorded, each with the reason. */
  readonly without: Readonly<Partial<Record<string, string>>>
  readonly answers: Readonly<Record<string, RecordedAnswer>>
}

export function pathOfRecording(name: string): string {
  return join(root, 'test', 'recorded', `${name}.json`)
}

export function readRecording<R = Recording>(name: string): R {
  return JSON.parse(readFileSync(pathOfRecording(name), 'utf8')) as R
}

/** Returns a function that returns a recorded response, whose body is a text. */
export function recordedTexts({ answers }: Recording) {
  return (what: string) => {
    const answer = answers[what]
    if (answer === undefined) throw new Error(`nothing is recorded of ${what}`)
    return { ...answer, body: `${answer.body}` }
  }
}

/** Headers that a client may depend on. */
const kept = /^(?:content-type|retry-after|www-authenticate|x-(?:amz|ms)-meta-.*|x-ms-error-code|etag)$/

/** Removes from a response the parts that change from run to run. */
export function normalizeAnswer({ status, headers, body }: Answer): RecordedAnswer {
  const names = Object.keys(headers).filter(name => kept.test(name))
  return {
    status,
    headers: Object.fromEntries(names.sort().map(name => [name, normalizeText(`${headers[name]}`)])),
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

/** XML elements that change from run to run, with the text that replaces theirs. */
const elements: Readonly<Record<string, string>> = {
  RequestId: 'request-1',
  HostId: 'host-1',
  LastModified: '2026-11-28T00:00:00.000Z',
  NextContinuationToken: 'page-2',
  ContinuationToken: 'page-2',
  NextMarker: 'page-2',
  Marker: 'page-2',
  'Creation-Time': 'Sat, 28 Nov 2026 00:00:00 GMT',
  'Last-Modified': 'Sat, 28 Nov 2026 00:00:00 GMT',
  AccessTierChangeTime: 'Sat, 28 Nov 2026 00:00:00 GMT',
}

/** Changing parts of messages and attributes of Azure. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b0x[0-9A-F]{15}\b/g, '0x000000000000001'],
  [/(?<=\bRequestId:)[0-9a-f-]{36}/g, 'request-1'],
  [/(?<=\bTime:)\S+Z/g, '2026-11-28T00:00:00.000Z'],
  [/(?<= ServiceEndpoint=")[^"]*/g, 'https://storage'],
]

function normalizeText(text: string): string {
  const named = text.replaceAll(/<([\w-]+)>([^<]*)<\/\1>/g, (whole, name: string) =>
    Object.hasOwn(elements, name) ? `<${name}>${elements[name]}</${name}>` : whole,
  )
  return patterns.reduce((so, [pattern, usual]) => so.replaceAll(pattern, usual), named)
}

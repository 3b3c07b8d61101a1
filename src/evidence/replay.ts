import type { Result } from '../result.js'
import type { AnswerShape, Evidence, EvidenceEntry } from './evidence.js'
import { fromShape } from './placeholder.js'
import { type EvidenceDefect, readEvidence } from './read-evidence.js'
import { listStoreIds, maxStores, rootPath } from './resources.js'

/** An answer as it goes out, or none. */
export type ReplayedAnswer =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
    }
  | { readonly kind: 'none' }

/** A request to a replay; `path` is below the base path, `whole` is not. */
export interface ReplayedRequest {
  readonly method: string
  readonly path: string
  readonly whole: string
  readonly signedIn: boolean
}

export type Replay = (request: ReplayedRequest) => ReplayedAnswer

/** Of a file; a larger one is never read whole. */
const maxBytes = 256 * 1024

/** Makes what answers as a file of evidence says. */
export function readReplay(bytes: Uint8Array): Result<Replay, EvidenceDefect> {
  if (bytes.byteLength > maxBytes) return { ok: false, error: { at: '', problem: 'too-large' } }
  const read = readEvidence(Buffer.from(bytes).toString('utf8'))
  return read.ok ? { ok: true, value: createReplay(read.value) } : read
}

/** Answers GET requests as the probed site did, with placeholders for values; nothing else, for nothing else was seen. */
export function createReplay({ observations }: Evidence): Replay {
  const answers = new Map<string, EvidenceEntry>()
  const bodies = new Map(observations.map(one => [one, formatBody(one.answer)] as const))
  const add = (path: string, one: EvidenceEntry) => {
    answers.set(`${one.signedIn} ${path}`, one)
  }
  const ids = { true: listIds(observations, true), false: listIds(observations, false) }
  for (const one of observations) {
    const id = one.store === undefined ? '' : ids[`${one.signedIn}`][one.store - 1]
    if (id !== undefined) add(one.resource.replace('{store}', id), one)
  }
  return ({ method, path, whole, signedIn }) => {
    if (method !== 'GET') return rejectRequest(405, 'A replay of evidence answers GET only.')
    const at = path.replace(/\/$/, rootPath)
    const one = answers.get(`${signedIn} ${at}`) ?? answers.get(`${!signedIn} ${at}`)
    if (one === undefined) return rejectRequest(404, 'The evidence has no such resource.')
    return toAnswer(one.answer, bodies.get(one) ?? '', whole)
  }
}

function listIds(observations: readonly EvidenceEntry[], signedIn: boolean): readonly string[] {
  const lists = observations.filter(one => one.resource === '/data' && one.signedIn === signedIn)
  return lists
    .flatMap(({ answer }) => (answer.kind === 'json' ? listStoreIds(fromShape(answer.body)) : []))
    .slice(0, maxStores)
}

function formatBody(answer: AnswerShape): string {
  switch (answer.kind) {
    case 'json':
      return JSON.stringify(fromShape(answer.body))
    case 'html':
      return '<!doctype html><title>placeholder</title>'
    case 'text':
    case 'compressed':
      return 'placeholder'
    case 'doubled-name':
      return '{"name":1,"name":2}'
    default:
      return ''
  }
}

function toAnswer(answer: AnswerShape, text: string, whole: string): ReplayedAnswer {
  if (answer.kind === 'none') return answer
  const { kind, status } = answer
  const headers = {
    'content-type':
      kind === 'json' ? 'application/json; charset=utf-8' : kind === 'html' ? 'text/html' : 'text/plain',
    ...(kind === 'compressed' && { 'content-encoding': 'gzip' }),
    ...(kind === 'redirect' && answer.to !== 'unclear' && { location: locations(whole)[answer.to] }),
  }
  return { kind: 'answer', status, headers, text }
}

function locations(whole: string) {
  return { 'sign-in': '/login', slash: `${whole}/`, elsewhere: '/elsewhere' } as const
}

function rejectRequest(code: number, message: string): ReplayedAnswer {
  const text = JSON.stringify({ error: { code, message, details: [] } })
  return {
    kind: 'answer',
    status: code,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    text,
  }
}

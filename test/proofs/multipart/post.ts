import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { BodyFile, Framing, Reader } from './reader.js'
import type { Value } from './value.js'

/** A reader behind an address, which is asked in both framings. */
export function httpReader(url: string, close: () => Promise<void>): Reader {
  return {
    framings: ['content-length', 'chunked'],
    read: (body, framing) => post(url, body, framing),
    close,
  }
}

/** How many pieces a chunked body is cut into, so that the cuts fall anywhere. */
const pieces = 13

async function post(url: string, body: BodyFile, framing: Framing): Promise<readonly Value[]> {
  const bytes = await readFile(body.path)
  const headers = {
    'content-type': body.contentType,
    ...(framing === 'content-length' && { 'content-length': bytes.length }),
  }
  const outgoing = request(url, { method: 'POST', headers, agent: false })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  if (framing === 'chunked') {
    const step = Math.ceil(bytes.length / pieces)
    for (let at = 0; at < bytes.length; at += step) outgoing.write(bytes.subarray(at, at + step))
    outgoing.end()
  } else outgoing.end(bytes)
  const [answer] = await answered
  return valuesIn(await text(answer))
}

/** What a reader answers: values, or why there are none. */
export function valuesIn(json: string): readonly Value[] {
  let answer: readonly Value[] | { readonly error: string }
  try {
    answer = JSON.parse(json)
  } catch {
    throw new Error(`no JSON: ${json.slice(0, 200)}`)
  }
  if ('error' in answer) throw new Error(answer.error)
  return answer
}

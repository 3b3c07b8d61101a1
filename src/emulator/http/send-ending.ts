import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { Wait } from '../clock.js'
import type { Answer, Ending } from '../faults/delivery.js'
import { contentLength } from '../faults/ending.js'
import { contentBetween } from './content.js'

const chunkBytes = 64 * 1024
const trickleMs = 100

/** Carries an ending out on the socket. Never rejects: a client that goes away is one way to end. */
export async function sendEnding(outgoing: ServerResponse, ending: Ending, wait: Wait): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  if (outgoing.destroyed) return
  if (ending.kind === 'silence') {
    if (ending.end === 'close') outgoing.socket?.destroySoon()
    if (ending.end === 'reset') outgoing.socket?.resetAndDestroy()
    return
  }
  const { waitMs = 0, interim, headers, httpStatus } = ending
  if (waitMs > 0) await wait(waitMs, gone.signal)
  // One that waits behind another answer has no socket yet, and would keep them all.
  if (interim !== undefined && outgoing.socket === null) await heard(outgoing, 'socket', gone.signal)
  // A socket has failed before anybody is told of it, and what is written then is kept.
  for (let sent = 0; sent < (interim?.count ?? 0) && outgoing.socket?.writable === true; sent++) {
    outgoing.writeProcessing()
    // Not on `outgoing`, which knows of its own answer only.
    if (outgoing.socket.writableNeedDrain) await heard(outgoing.socket, 'drain', gone.signal)
    if (interim !== undefined && interim.everyMs > 0) await wait(interim.everyMs, gone.signal)
  }
  if (gone.signal.aborted) return
  const actual = contentLength(ending)
  const announced = ending.announcedBytes ?? actual
  // A connection on which the length was a lie is of no use to the next request.
  if (announced !== actual) outgoing.shouldKeepAlive = false
  outgoing.writeHead(httpStatus, { ...headers, 'content-length': announced })
  await writeContent(outgoing, ending, { wait, gone: gone.signal })
  if (gone.signal.aborted) return
  const whole = ending.cutAfterBytes === undefined || ending.cutAfterBytes >= actual
  if (whole && announced === actual) outgoing.end()
  else outgoing.write('', () => outgoing.socket?.destroySoon())
}

interface Pace {
  readonly wait: Wait
  readonly gone: AbortSignal
}

/** In pieces, each when the one before is on its way: an answer of any size takes up the memory of one piece. */
async function writeContent(outgoing: ServerResponse, answer: Answer, { wait, gone }: Pace): Promise<void> {
  const end = Math.min(contentLength(answer), answer.cutAfterBytes ?? Number.POSITIVE_INFINITY)
  const { bytesPerSecond } = answer
  const piece =
    bytesPerSecond === undefined ? chunkBytes : Math.max(1, Math.round((bytesPerSecond * trickleMs) / 1000))
  const pauseMs = bytesPerSecond === undefined ? 0 : (piece * 1000) / bytesPerSecond
  for (let at = 0; at < end && !gone.aborted; at += piece) {
    const bytes = contentBetween(answer, at, Math.min(at + piece, end))
    if (!outgoing.write(bytes)) await heard(outgoing, 'drain', gone)
    if (pauseMs > 0 && at + piece < end) await wait(pauseMs, gone)
  }
}

async function heard(stream: Writable, event: 'drain' | 'socket', signal: AbortSignal): Promise<void> {
  await once(stream, event, { signal }).catch(() => undefined)
}

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { EmulatorWait } from '../emulated-site.js'
import { countContentBytes, type RequestEnding, type SentAnswer, sliceContent } from '../faults/ending.js'

const chunkBytes = 64 * 1024
const trickleMs = 100

/** Performs an ending on the socket. Never rejects: a client may disconnect at any time. */
export async function sendEnding(
  outgoing: ServerResponse,
  ending: RequestEnding,
  wait: EmulatorWait,
): Promise<void> {
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
  // A pipelined answer that waits for an earlier one has no socket yet, and would buffer all interim answers.
  if (interim !== undefined && outgoing.socket === null) await waitForEvent(outgoing, 'socket', gone.signal)
  // A socket can have failed before its error event; writes to it would be buffered.
  for (let sent = 0; sent < (interim?.count ?? 0) && outgoing.socket?.writable === true; sent++) {
    outgoing.writeProcessing()
    // Not on `outgoing`, which does not count interim answers.
    if (outgoing.socket.writableNeedDrain) await waitForEvent(outgoing.socket, 'drain', gone.signal)
    if (interim !== undefined && interim.everyMs > 0) await wait(interim.everyMs, gone.signal)
  }
  if (gone.signal.aborted) return
  const actual = countContentBytes(ending)
  const announced = ending.announcedBytes ?? actual
  // A connection with a wrong length cannot be reused for the next request.
  if (announced !== actual) outgoing.shouldKeepAlive = false
  outgoing.writeHead(httpStatus, { ...headers, 'content-length': announced })
  await writeContent(outgoing, ending, { wait, gone: gone.signal })
  if (gone.signal.aborted) return
  const whole = ending.cutAfterBytes === undefined || ending.cutAfterBytes >= actual
  if (whole && announced === actual) outgoing.end()
  else outgoing.write('', () => outgoing.socket?.destroySoon())
}

interface WriteOptions {
  readonly wait: EmulatorWait
  readonly gone: AbortSignal
}

/** Writes content in pieces, and waits for each to be sent, so an answer of any size needs the memory of one piece. */
async function writeContent(
  outgoing: ServerResponse,
  answer: SentAnswer,
  { wait, gone }: WriteOptions,
): Promise<void> {
  const end = Math.min(countContentBytes(answer), answer.cutAfterBytes ?? Number.POSITIVE_INFINITY)
  const { bytesPerSecond } = answer
  const piece =
    bytesPerSecond === undefined ? chunkBytes : Math.max(1, Math.round((bytesPerSecond * trickleMs) / 1000))
  const pauseMs = bytesPerSecond === undefined ? 0 : (piece * 1000) / bytesPerSecond
  for (let at = 0; at < end && !gone.aborted; at += piece) {
    const bytes = sliceContent(answer, at, Math.min(at + piece, end))
    if (!outgoing.write(bytes)) await waitForEvent(outgoing, 'drain', gone)
    if (pauseMs > 0 && at + piece < end) await wait(pauseMs, gone)
  }
}

async function waitForEvent(stream: Writable, event: 'drain' | 'socket', signal: AbortSignal): Promise<void> {
  await once(stream, event, { signal }).catch(() => undefined)
}

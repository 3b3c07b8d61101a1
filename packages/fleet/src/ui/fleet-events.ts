import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { HttpEnvironment } from '../http/http-server.js'

/** Calls back at an interval until the returned function is called. */
export type Every = (milliseconds: number, callback: () => void) => () => void

/** One event of the stream. */
export interface FleetEvent {
  readonly event: string
  readonly data: object
}

/** The changes of the fleet, as server-sent events for every open page. */
export interface FleetEvents {
  publish(event: FleetEvent): void
  /** Responds with the stream; `undefined` if too many pages are open. */
  respond(c: Context<HttpEnvironment>): Response | undefined
  /** The ID of the last published event. */
  readonly lastId: string
}

export interface FleetEventsOptions {
  readonly every: Every
  /** Polls for changes, and publishes them. */
  poll(): void
  readonly pollMs: number
}

export const maxListeners = 32
const heartbeatMs = 15_000
/** The number of events kept; a page that is further behind loads everything. */
const maxKept = 200

interface Listener {
  /** The number of the next event to send. */
  next: number
  /** True while a write waits for the reader. */
  isWriting: boolean
  /** True if the reader had not taken anything at the last heartbeat. */
  isStuck: boolean
  readonly stream: SSEStreamingApi
  wake(): void
  destroy(): void
}

/** Creates the stream. No timer runs, and nothing is polled, without open pages. */
export function createFleetEvents({ every, poll, pollMs }: FleetEventsOptions): FleetEvents {
  const run = randomBytes(4).toString('hex')
  const kept: FleetEvent[] = []
  const listeners = new Set<Listener>()
  let last = 0
  let stops: readonly (() => void)[] = []
  const formatId = (number: number) => `${run}-${number}`

  return {
    publish(event) {
      last += 1
      kept.push(event)
      if (kept.length > maxKept) kept.shift()
      for (const { wake } of listeners) wake()
    },
    respond(c) {
      if (listeners.size >= maxListeners) return undefined
      poll()
      const next = findNext(c.req.header('last-event-id'))
      const response = streamSSE(c, stream => {
        const { outgoing } = c.env
        const listener: Listener = {
          next,
          isWriting: false,
          isStuck: false,
          stream,
          wake: () => undefined,
          destroy: () => outgoing.destroy(),
        }
        stream.onAbort(() => removeListener(listener))
        return sendEvents(listener)
      })
      return response
    },
    get lastId() {
      return formatId(last)
    },
  }

  /** Returns the number after the last received event; -1 if it is unknown. */
  function findNext(lastEventId = ''): number {
    const [, ofRun, number] = /^(\w+)-(\d+)$/.exec(lastEventId) ?? []
    return ofRun === run && Number(number) <= last ? Number(number) + 1 : -1
  }

  function addListener(listener: Listener): void {
    listeners.add(listener)
    if (stops.length === 0) stops = [every(pollMs, poll), every(heartbeatMs, sendHeartbeats)]
  }

  function removeListener(listener: Listener): void {
    listeners.delete(listener)
    listener.wake()
    if (listeners.size > 0) return
    for (const stop of stops) stop()
    stops = []
  }

  /** Sends all events from the position of a listener on, until it leaves. */
  async function sendEvents(listener: Listener): Promise<void> {
    const { stream } = listener
    addListener(listener)
    await stream.write('retry: 1000\n\n')
    while (listeners.has(listener)) {
      if (listener.next > last) {
        await new Promise<void>(resolve => {
          listener.wake = resolve
        })
        continue
      }
      const event = kept[kept.length - 1 - (last - listener.next)]
      const number: number = event === undefined ? last : listener.next
      listener.next = number + 1
      listener.isWriting = true
      const { event: name, data } = event ?? { event: 'reset', data: {} }
      await stream.writeSSE({ id: formatId(number), event: name, data: JSON.stringify(data) })
      listener.isWriting = false
      listener.isStuck = false
    }
  }

  /** Keeps connections open, and disconnects who has read nothing since the last heartbeat; a page connects again. */
  function sendHeartbeats(): void {
    for (const listener of listeners) {
      if (listener.isStuck) listener.destroy()
      else if (listener.isWriting) listener.isStuck = true
      else void listener.stream.write(': still here\n\n')
    }
  }
}

/** Runs a timer that does not keep the process alive. */
export const everyInterval: Every = (milliseconds, callback) => {
  const timer = setInterval(callback, milliseconds).unref()
  return () => clearInterval(timer)
}

import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'

/** Calls back at an interval until the returned function is called. */
export type Every = (milliseconds: number, callback: () => void) => () => void

/** One event of the stream. */
export interface StreamEvent {
  readonly event: string
  /** Its subject; without one, every listener receives it. */
  readonly about?: string
  readonly data: object
}

export interface Listener {
  readonly outgoing: ServerResponse
  /** The last event that the listener received, if it reconnects. */
  readonly lastEventId?: string | undefined
  /** Limits the events to one subject. */
  readonly about?: string | undefined
}

/** A stream of server-sent events for all listeners. */
export interface EventStream {
  publish(result: StreamEvent): void
  /** Adds a listener; false if there are too many. */
  listen(listener: Listener): boolean
  /** The ID of the last published event. */
  readonly lastId: string
}

export interface EventStreamOptions {
  readonly every: Every
  /** Detects unpublished changes, and publishes them now or soon. */
  detectChanges(): void
  /** The interval of that detection while there are listeners. */
  readonly detectionMs: number
  /** The number of events kept for listeners that reconnect. */
  readonly maxKeptEvents: number
}

export const maxListeners = 32
const heartbeatMs = 15_000
/** A listener with more unread bytes is disconnected; it reconnects for the events that it missed. */
const maxUnreadBytes = 4 * 1024 * 1024

/** Creates a stream. No timer runs, and nothing is polled, without listeners. */
export function createEventStream({
  every,
  detectChanges,
  detectionMs,
  maxKeptEvents,
}: EventStreamOptions): EventStream {
  const run = randomBytes(4).toString('hex')
  const history: { readonly id: number; readonly event: StreamEvent }[] = []
  const listeners = new Set<Listener>()
  let last = 0
  let stop: (() => void) | undefined

  return {
    publish(result) {
      last += 1
      history.push({ id: last, event: result })
      if (history.length > maxKeptEvents) history.shift()
      if (listeners.size === 0) return
      const text = formatEvent(last, result)
      for (const listener of listeners) if (isRelevant(result, listener)) write(listener, text)
    },
    listen(listener) {
      if (listeners.size >= maxListeners) return false
      detectChanges()
      listener.outgoing.write(`retry: 1000\n\n${replayMissed(listener)}`)
      listeners.add(listener)
      listener.outgoing.on('close', () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.()
        stop = undefined
      })
      stop ??= startTimers()
      return true
    },
    get lastId() {
      return formatId(last)
    },
  }

  function formatId(number: number): string {
    return `${run}-${number}`
  }

  function startTimers(): () => void {
    const stops = [every(detectionMs, detectChanges), every(heartbeatMs, sendHeartbeat)]
    return () => {
      for (const one of stops) one()
    }
  }

  function sendHeartbeat() {
    for (const listener of listeners) write(listener, ': still here\n\n')
  }

  /** Formats the events that a listener missed, or a reset: it must then load the state document again. */
  function replayMissed({ lastEventId, about }: Listener): string {
    const [, ofRun, number] = /^(\w+)-(\d+)$/.exec(lastEventId ?? '') ?? []
    const id = ofRun === run ? Number(number) : Number.NaN
    const isThere = id <= last && id >= last - history.length
    if (!isThere) return `id: ${formatId(last)}\nevent: reset\ndata: {}\n\n`
    return history
      .filter(entry => entry.id > id && isRelevant(entry.event, { about }))
      .map(entry => formatEvent(entry.id, entry.event))
      .join('')
  }

  function formatEvent(id: number, { event, data }: StreamEvent): string {
    return `id: ${formatId(id)}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
  }
}

function isRelevant({ about }: StreamEvent, listener: Pick<Listener, 'about'>): boolean {
  return about === undefined || listener.about === undefined || listener.about === about
}

function write({ outgoing }: Listener, text: string): void {
  if (outgoing.writableLength > maxUnreadBytes) outgoing.destroy()
  else outgoing.write(text)
}

/** Runs a timer that does not keep the process alive. */
export const everyInterval: Every = (milliseconds, callback) => {
  const timer = setInterval(callback, milliseconds).unref()
  return () => clearInterval(timer)
}

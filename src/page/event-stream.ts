import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'

/** Calls back again and again until the answer is called. */
export type Every = (milliseconds: number, callback: () => void) => () => void

/** One thing that happened. */
export interface Happening {
  readonly event: string
  /** The one thing that it is about; without it, all who listen hear of it. */
  readonly about?: string
  readonly data: object
}

export interface Listener {
  readonly outgoing: ServerResponse
  /** What the listener has seen already, if it was here before. */
  readonly lastEventId?: string | undefined
  /** Of what is about one thing, this is enough. */
  readonly about?: string | undefined
}

/** What happens, for those who listen, as server-sent events. */
export interface EventStream {
  publish(happening: Happening): void
  /** False when too many listen already. */
  listen(listener: Listener): boolean
  /** Names what was published last. */
  readonly lastId: string
}

export interface EventStreamOptions {
  readonly every: Every
  /** Publishes what has changed without anybody telling, now or soon. */
  look(): void
  /** How often that is, while somebody listens. */
  readonly lookMs: number
  /** How much is kept for those who come back. */
  readonly keptAtMost: number
}

export const listenersAtMost = 32
const beatMs = 15_000
/** A listener that lets this much pile up is cut off; it comes back for what it missed. */
const unreadBytesAtMost = 4 * 1024 * 1024

/** Nothing is looked at, and no timer runs, while nobody listens. */
export function eventStream({ every, look, lookMs, keptAtMost }: EventStreamOptions): EventStream {
  const run = randomBytes(4).toString('hex')
  const history: { readonly id: number; readonly happening: Happening }[] = []
  const listeners = new Set<Listener>()
  let last = 0
  let stop: (() => void) | undefined

  return {
    publish(happening) {
      last += 1
      history.push({ id: last, happening })
      if (history.length > keptAtMost) history.shift()
      if (listeners.size === 0) return
      const text = textOf(last, happening)
      for (const listener of listeners) if (concerns(happening, listener)) write(listener, text)
    },
    listen(listener) {
      if (listeners.size >= listenersAtMost) return false
      look()
      listener.outgoing.write(`retry: 1000\n\n${missed(listener)}`)
      listeners.add(listener)
      listener.outgoing.on('close', () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.()
        stop = undefined
      })
      stop ??= begin()
      return true
    },
    get lastId() {
      return idOf(last)
    },
  }

  function idOf(number: number): string {
    return `${run}-${number}`
  }

  function begin(): () => void {
    const stops = [every(lookMs, look), every(beatMs, beat)]
    return () => {
      for (const one of stops) one()
    }
  }

  function beat() {
    for (const listener of listeners) write(listener, ': still here\n\n')
  }

  /** All that a listener missed, or that it has to begin anew: with the state document. */
  function missed({ lastEventId, about }: Listener): string {
    const [, ofRun, number] = /^(\w+)-(\d+)$/.exec(lastEventId ?? '') ?? []
    const id = ofRun === run ? Number(number) : Number.NaN
    const isThere = id <= last && id >= last - history.length
    if (!isThere) return `id: ${idOf(last)}\nevent: reset\ndata: {}\n\n`
    return history
      .filter(entry => entry.id > id && concerns(entry.happening, { about }))
      .map(entry => textOf(entry.id, entry.happening))
      .join('')
  }

  function textOf(id: number, { event, data }: Happening): string {
    return `id: ${idOf(id)}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
  }
}

function concerns({ about }: Happening, listener: Pick<Listener, 'about'>): boolean {
  return about === undefined || listener.about === undefined || listener.about === about
}

function write({ outgoing }: Listener, text: string): void {
  if (outgoing.writableLength > unreadBytesAtMost) outgoing.destroy()
  else outgoing.write(text)
}

/** The timer of the process, which does not keep it alive. */
export const everyReally: Every = (milliseconds, callback) => {
  const timer = setInterval(callback, milliseconds).unref()
  return () => clearInterval(timer)
}

import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'

/** Calls back again and again until the answer is called. */
export type Every = (milliseconds: number, callback: () => void) => () => void

/** One thing that happened; `site` is the base path of the site it happened to. */
export interface Happening {
  readonly event: 'state' | 'stage' | 'request'
  readonly site: string
  readonly data: object
}

export interface Listener {
  readonly outgoing: ServerResponse
  /** What the listener has seen already, if it was here before. */
  readonly lastEventId?: string | undefined
  /** The stages and requests of one site are enough; states come of all. */
  readonly site?: string | undefined
}

/** What happens, for those who listen, as server-sent events. */
export interface Events {
  publish(happening: Happening): void
  /** False when too many listen already. */
  listen(listener: Listener): boolean
}

export interface EventsOptions {
  readonly every: Every
  /** Publishes what time alone has changed. */
  look(): void
}

export const listenersAtMost = 32
const kept = 1000
const lookMs = 200
const beatMs = 15_000
/** A listener that lets this much pile up is cut off; it comes back for what it missed. */
const unreadBytesAtMost = 4 * 1024 * 1024

/** Nothing is looked at, and no timer runs, while nobody listens. */
export function events({ every, look }: EventsOptions): Events {
  const run = randomBytes(4).toString('hex')
  const history: { readonly id: number; readonly happening: Happening }[] = []
  const listeners = new Set<Listener>()
  let last = 0
  let stop: (() => void) | undefined

  return {
    publish(happening) {
      last += 1
      history.push({ id: last, happening })
      if (history.length > kept) history.shift()
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
  function missed({ lastEventId, site }: Listener): string {
    const [, ofRun, number] = /^(\w+)-(\d+)$/.exec(lastEventId ?? '') ?? []
    const id = ofRun === run ? Number(number) : Number.NaN
    const isThere = id <= last && id >= last - history.length
    if (!isThere) return `id: ${run}-${last}\nevent: reset\ndata: {}\n\n`
    return history
      .filter(entry => entry.id > id && concerns(entry.happening, { site }))
      .map(entry => textOf(entry.id, entry.happening))
      .join('')
  }

  function textOf(id: number, { event, data }: Happening): string {
    return `id: ${run}-${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
  }
}

function concerns({ event, site }: Happening, listener: Pick<Listener, 'site'>): boolean {
  return event === 'state' || listener.site === undefined || listener.site === site
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

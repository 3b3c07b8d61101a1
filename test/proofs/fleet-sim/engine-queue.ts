import { computeFraction } from '../../../src/emulator/service/timeline.js'
import type { Setting } from './setting.js'

/** What the engine keeps in order: by priority, then by time, and of a site one at a time. */
export interface Queue<T> {
  /** How many there are that may be taken. */
  readonly size: number
  /** What is added again, for its worker died, has the place that it had. */
  add(run: T): void
  take(): T | undefined
  /** A run is on no worker any more. */
  done(run: T): void
}

interface Queued {
  readonly site: string
  readonly generation: number
  readonly priority: number
}

export function queueOf<T extends Queued>({ seed, mistake }: Setting): Queue<T> {
  const places = new Map<T, number>()
  const placeOf = (run: T) => places.get(run) ?? 0
  const waiting = heap<T>((a, b) =>
    a.priority === b.priority ? placeOf(a) < placeOf(b) : a.priority < b.priority,
  )
  const held = new Map<string, T[]>()
  const busy = new Set<string>()
  let taken = 0
  const any = (): T | undefined => {
    const some = Array.from({ length: Math.min(waiting.size, 50) }, () => waiting.take() as T)
    const [chosen] = some.splice(Math.floor(computeFraction(seed, `take ${taken}`) * some.length), 1)
    for (const run of some) waiting.add(run)
    return chosen
  }
  return {
    get size() {
      return waiting.size
    },
    add(run) {
      if (!places.has(run)) places.set(run, places.size)
      if (busy.has(run.site) && mistake !== 'takes a site twice at once')
        held.set(run.site, [...(held.get(run.site) ?? []), run])
      else waiting.add(run)
    },
    take() {
      for (;;) {
        taken += 1
        const run = mistake === 'takes any site next' ? any() : waiting.take()
        if (run === undefined) return undefined
        if (mistake === 'takes a site twice at once') return run
        if (!busy.has(run.site)) {
          busy.add(run.site)
          return run
        }
        held.set(run.site, [...(held.get(run.site) ?? []), run])
      }
    },
    done(run) {
      busy.delete(run.site)
      for (const next of held.get(run.site) ?? []) waiting.add(next)
      held.delete(run.site)
    },
  }
}

/** Things in an order, of which the first is taken. */
interface Heap<T> {
  readonly size: number
  add(thing: T): void
  take(): T | undefined
}

/** `isBefore` has to be an order; of two that are equal in it either may come first. */
export function heap<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const things: T[] = []
  const at = (index: number) => things[index] as T
  const swap = (a: number, b: number) => {
    const kept = at(a)
    things[a] = at(b)
    things[b] = kept
  }
  return {
    get size() {
      return things.length
    },
    add(thing) {
      things.push(thing)
      for (let index = things.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1
        if (!isBefore(at(index), at(parent))) return
        swap(index, parent)
        index = parent
      }
    },
    take() {
      const [first] = things
      const last = things.pop()
      if (things.length === 0 || last === undefined) return first
      things[0] = last
      for (let index = 0; ; ) {
        const children = [2 * index + 1, 2 * index + 2].filter(child => child < things.length)
        const next = children.reduce((best, child) => (isBefore(at(child), at(best)) ? child : best), index)
        if (next === index) return first
        swap(index, next)
        index = next
      }
    },
  }
}

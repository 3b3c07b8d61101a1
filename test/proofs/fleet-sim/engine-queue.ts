import { computeFraction } from '../../../src/emulator/service/timeline.js'
import { heap } from './heap.js'
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

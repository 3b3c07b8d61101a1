import { type CreatedObjects, type ObjectStore, openObjects, type Pause } from './object-store.js'
import type { Series, StateBackend, Version } from './series.js'
import type { StateReply } from './state-failure.js'

const leaseMs = 15 * 60_000
/** Objects that are read at the same time. */
const maxReads = 8

/**
 * Keeps the state of sites as objects of a server, one a version. Creating an object under a free name is the
 * compare-and-swap. No object is ever replaced or deleted.
 */
export function objectBackend(where: string, store: ObjectStore, pause: Pause): StateBackend {
  const objects = openObjects(where, store, pause)
  const openSeries = (key: string) => objectSeries(key, { where, store, objects })
  return {
    kind: store.kind,
    where,
    leaseMs,
    series: site => openSeries(store.keyOf(site)),
    async newestOfSome(max) {
      const keys = await objects.ask('unreadable', () => store.listKeys())
      if (!keys.ok) return keys
      const newest = await readInBatches(keys.value.slice(0, max), key => openSeries(key).newest())
      return newest.ok ? { ok: true, value: newest.value.filter(version => version !== undefined) } : newest
    },
  }
}

interface Place {
  readonly where: string
  readonly store: ObjectStore
  readonly objects: CreatedObjects
}

function objectSeries(key: string, { where: place, store, objects }: Place): Series {
  const where = `${place} ${key}`
  /** The highest number that was seen: it cannot go back. */
  let seen = 0
  const missing = (serial: number) =>
    ({ ok: false, error: { kind: 'damaged', where, reason: { kind: 'missing-version', serial } } }) as const

  /** Finds the highest number that is listed, which may be too low. */
  const findListed = async (): Promise<StateReply<number>> => {
    const serials = await objects.ask('unreadable', () => store.listSerials(key))
    if (!serials.ok) return serials
    return { ok: true, value: serials.value.reduce((highest, serial) => Math.max(highest, serial), 0) }
  }
  const find = (serial: number) => objects.ask('unreadable', () => store.read(store.nameOf(key, serial)))
  const read = async (serial: number): Promise<StateReply<Version>> => {
    const found = await find(serial)
    if (!found.ok) return found
    return found.value === undefined
      ? missing(serial)
      : { ok: true, value: { serial, text: found.value.text } }
  }
  const newest = async (): Promise<StateReply<Version | undefined>> => {
    const listed = seen > 0 ? ({ ok: true, value: seen } as const) : await findListed()
    if (!listed.ok) return listed
    let last: Version | undefined
    for (let serial = Math.max(1, listed.value); ; serial += 1) {
      const found = await find(serial)
      if (!found.ok) return found
      if (found.value === undefined)
        return serial === listed.value ? missing(serial) : { ok: true, value: last }
      last = { serial, text: found.value.text }
      seen = serial
    }
  }

  return {
    where,
    newest,
    async add({ serial, text }) {
      if (serial > seen + 1) {
        const before = await read(serial - 1)
        if (!before.ok) return before
      }
      const created = await objects.create(store.nameOf(key, serial), text)
      if (created.ok) seen = Math.max(seen, serial)
      return created
    },
    async all() {
      const last = await newest()
      if (!last.ok) return last
      const serials = Array.from({ length: last.value?.serial ?? 0 }, (_, at) => at + 1)
      return readInBatches(serials, read)
    },
  }
}

/** Reads some at a time, in their order. */
async function readInBatches<T, R>(
  items: readonly T[],
  read: (item: T) => Promise<StateReply<R>>,
): Promise<StateReply<readonly R[]>> {
  const found: R[] = []
  for (let at = 0; at < items.length; at += maxReads) {
    for (const reply of await Promise.all(items.slice(at, at + maxReads).map(read))) {
      if (!reply.ok) return reply
      found.push(reply.value)
    }
  }
  return { ok: true, value: found }
}

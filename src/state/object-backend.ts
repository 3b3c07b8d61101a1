import { randomBytes } from 'node:crypto'
import type { Result } from '../result.js'
import type { CheckVersion, Series, StateBackend, Version } from './series.js'
import type { ObjectReason, StateFailure, StateReply } from './state-failure.js'

/** State in object storage or a cluster. */
const leaseMs = 15 * 60_000
/** Objects that are read concurrently. */
const maxReads = 8

/**
 * Keeps the state of sites as objects of a server, one per version. Creating an object under a free name is the
 * compare-and-swap. Objects are never replaced or deleted.
 */
export function objectBackend(where: string, store: ObjectStore, pause: Pause): StateBackend {
  const objects = openObjects(where, store, pause)
  const openSeries = (key: string) => objectSeries(key, { where, store, objects })
  return {
    kind: store.kind,
    where,
    leaseMs,
    series: site => openSeries(store.keyOf(site)),
  }
}

interface Place {
  readonly where: string
  readonly store: ObjectStore
  readonly objects: CreatedObjects
}

function objectSeries(key: string, { where: place, store, objects }: Place): Series {
  const where = `${place} ${key}`
  /** The highest number seen, which can only grow. */
  let seen = 0
  const missing = (serial: number) =>
    ({ ok: false, error: { kind: 'damaged', where, reason: { kind: 'missing-version', serial } } }) as const

  /** Finds the highest number in the listing; newer versions may be missing from it. */
  const findListed = async (): Promise<StateReply<number>> => {
    const serials = await objects.ask('unreadable', () => store.listSerials(key))
    if (!serials.ok) return serials
    const highest = serials.value.reduce((most, serial) => Math.max(most, serial), 0)
    let complete = 0
    while (serials.value.includes(complete + 1)) complete += 1
    const unlisted = complete < highest ? await read(complete + 1) : undefined
    return unlisted?.ok === false ? unlisted : { ok: true, value: highest }
  }
  const find = (serial: number) => objects.ask('unreadable', () => store.read(store.nameOf(key, serial)))
  const read = async (serial: number): Promise<StateReply<Version>> => {
    const found = await find(serial)
    if (!found.ok) return found
    return found.value === undefined
      ? missing(serial)
      : { ok: true, value: { serial, text: found.value.text } }
  }
  const newest = async (check?: CheckVersion): Promise<StateReply<Version | undefined>> => {
    const listed = seen > 0 ? ({ ok: true, value: seen } as const) : await findListed()
    if (!listed.ok) return listed
    let last: Version | undefined
    for (let serial = Math.max(1, listed.value); ; serial += 1) {
      const found = await find(serial)
      if (!found.ok) return found
      if (found.value === undefined)
        return serial === listed.value ? missing(serial) : { ok: true, value: last }
      last = { serial, text: found.value.text }
      const checked = check?.(last)
      if (checked?.ok === false) return checked
      seen = serial
    }
  }

  return {
    where,
    newest,
    async add({ serial, text }) {
      // Always read, because the server may have changed since.
      if (serial > 1) {
        const before = await read(serial - 1)
        if (!before.ok) return before
      }
      const created = await objects.create(store.nameOf(key, serial), text)
      if (created.ok) seen = Math.max(seen, serial)
      return created
    },
    async all(check, last) {
      const found = await newest(check)
      if (!found.ok) return found
      const serials = Array.from({ length: found.value?.serial ?? 0 }, (_, at) => at + 1)
      return readInBatches(last === undefined ? serials : serials.slice(-last), read)
    },
  }
}

/** Reads items in batches, in their order. */
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

/** An object that is created once and never changed. */
interface StoredObject {
  readonly text: string
  /** The ID of the write that created it. */
  readonly run: string
}

/** A server that creates objects under free names only. Each call is one request, or one listing. */
export interface ObjectStore {
  readonly kind: ObjectReason['kind']
  /** The name of the object that tests whether the server enforces conditional writes. */
  readonly probeName: string
  /** Returns the key of a site, which is valid in names of objects there. */
  keyOf(site: string): string
  nameOf(key: string, serial: number): string
  /** Creates an object; false if one of that name exists. */
  create(name: string, object: StoredObject): Promise<Result<boolean, ObjectReason>>
  /** Reads an object; `undefined` only if the server reports it missing. */
  read(name: string): Promise<Result<StoredObject | undefined, ObjectReason>>
  /** Lists the numbers of the versions of a site; a server may list a new version late. */
  listSerials(key: string): Promise<Result<readonly number[], ObjectReason>>
}

/** A page of a listing. */
export interface Page {
  readonly names: readonly string[]
  /** The token of the next page. */
  readonly next?: string | undefined
}

/** The versions of a site in object storage or a cluster. A longer list is an error. */
const maxPages = 1000

/** Reads the pages of a listing. A token that repeats, or too many pages, yields the error `endless`. */
export async function readPages<R>(
  endless: R,
  readPage: (token: string | undefined) => Promise<Result<Page, R>>,
): Promise<Result<readonly string[], R>> {
  const names: string[] = []
  const tokens = new Set<string | undefined>()
  for (let token: string | undefined; !tokens.has(token) && tokens.size < maxPages; ) {
    tokens.add(token)
    const page = await readPage(token)
    if (!page.ok) return page
    names.push(...page.value.names)
    if (page.value.next === undefined) return { ok: true, value: names }
    token = page.value.next
  }
  return { ok: false, error: endless }
}

export type Pause = (milliseconds: number) => Promise<void>

/** The operations on a store, with retries. */
interface CreatedObjects {
  /** Makes a call, and repeats it while the server is unavailable. */
  ask<T>(
    kind: 'unreadable' | 'unwritable',
    call: () => Promise<Result<T, ObjectReason>>,
  ): Promise<StateReply<T>>
  /** Creates an object durably; false if it exists already. */
  create(name: string, text: string): Promise<StateReply<boolean>>
}

/** A request to a git remote, object storage or a cluster. In total, as long as a server takes to restart. */
export const pausesMs = [200, 500, 1000, 2000, 4000]
/** A request after a response with `Retry-After`, at most. The run holds a lease meanwhile. */
const longestPauseMs = 30_000

/**
 * Opens a store. Its first write verifies that the server enforces conditional writes; otherwise two runs could each
 * believe that they hold a site.
 */
export function openObjects(where: string, store: ObjectStore, pause: Pause): CreatedObjects {
  const failed = (kind: StateFailure['kind'], reason: ObjectReason) =>
    ({ ok: false, error: { kind, where, reason } }) as const
  const wrong = (cause: 'ignores-conditions' | 'lost-write') =>
    failed('unwritable', { kind: store.kind, cause })
  let hasAccess = false
  const ask: CreatedObjects['ask'] = async (kind, call) => {
    for (let tries = 0; ; tries += 1) {
      const reply = await call()
      if (reply.ok) {
        hasAccess = true
        return reply
      }
      const { cause, byProxy = false, retryAfterMs = 0 } = reply.error
      // A restarting Kubernetes API server denies access until it has read its roles. A proxy that never reached the
      // server is misconfigured, so the request is not repeated.
      const isPassing =
        cause === 'busy' ||
        (cause === 'unreachable' && !byProxy) ||
        ((cause === 'access-denied' || byProxy) && hasAccess)
      const waitMs = isPassing ? pausesMs[tries] : undefined
      if (waitMs === undefined) return failed(kind, reply.error)
      await pause(Math.max(waitMs, Math.min(retryAfterMs, longestPauseMs)))
    }
  }
  const newRun = () => randomBytes(12).toString('hex')

  const probe = async (): Promise<StateReply<void>> => {
    const object = { text: '{}\n', run: newRun() }
    for (let tries = 0; tries < 2; tries += 1) {
      const created = await ask('unwritable', () => store.create(store.probeName, object))
      if (!created.ok) return created
      if (!created.value) return { ok: true, value: undefined }
    }
    return wrong('ignores-conditions')
  }
  let isProbed = false

  return {
    ask,
    async create(name, text) {
      if (!isProbed) {
        const probed = await probe()
        if (!probed.ok) return probed
        isProbed = true
      }
      const run = newRun()
      const created = await ask('unwritable', () => store.create(name, { text, run }))
      if (!created.ok) return created
      // The stored object decides, not the response: a response may be lost, and so may a write.
      const stored = await ask('unwritable', () => store.read(name))
      if (!stored.ok) return stored
      if (stored.value === undefined) return wrong('lost-write')
      const isOurs = stored.value.run === run
      if (isOurs && stored.value.text !== text) return wrong('lost-write')
      return created.value && !isOurs ? wrong('ignores-conditions') : { ok: true, value: isOurs }
    },
  }
}

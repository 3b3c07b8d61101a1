import { openS3Bucket, type S3Bucket, type S3Ports } from './s3-bucket.js'
import type { Series, StateBackend, Version } from './series.js'
import { isSiteKey, siteKey } from './site-key.js'
import type { StateReply } from './state-failure.js'

const leaseMs = 15 * 60_000
/** Objects that are read at the same time. */
const maxReads = 8

export interface S3Options extends S3Ports {
  /** The name of the place for users. */
  readonly where: string
  /** Where in the bucket; empty for the whole of it. */
  readonly prefix: string
}

/**
 * Keeps the state of sites in object storage: each site has a folder, and each version is an object in it. A write that
 * is made only if there is no such object is the compare-and-swap. Nothing is ever replaced or deleted.
 */
export function s3Backend({ where, prefix, ...ports }: S3Options): StateBackend {
  const folder = prefix === '' ? '' : `${prefix}/`
  const bucket = openS3Bucket(where, `${folder}landform-probe.json`, ports)
  const openSeries = (key: string) =>
    s3Series(bucket, { where: `${where} ${key}`, folder: `${folder}${key}/` })
  return {
    kind: 's3',
    where,
    leaseMs,
    series: site => openSeries(siteKey(site)),
    async newestOfSome(max) {
      const folders = await bucket.list(folder, '/')
      if (!folders.ok) return folders
      const keys = folders.value.map(name => name.slice(folder.length, -1)).filter(isSiteKey)
      const newest = await readInBatches(keys.slice(0, max), key => openSeries(key).newest())
      return newest.ok ? { ok: true, value: newest.value.filter(version => version !== undefined) } : newest
    },
  }
}

function s3Series(
  bucket: S3Bucket,
  { where, folder }: { readonly where: string; readonly folder: string },
): Series {
  /** The highest number that was seen: it cannot go back. */
  let seen = 0
  const keyOf = (serial: number) => `${folder}${String(serial).padStart(6, '0')}.json`
  const missing = (serial: number) =>
    ({ ok: false, error: { kind: 'damaged', where, reason: { kind: 'missing-version', serial } } }) as const

  /** Finds the highest number that is listed, which may be too low: some servers list late. */
  const findListed = async (): Promise<StateReply<number>> => {
    const names = await bucket.list(folder)
    if (!names.ok) return names
    const serials = names.value.map(name =>
      Number(/^(\d{6,})\.json$/.exec(name.slice(folder.length))?.[1] ?? 0),
    )
    return { ok: true, value: serials.reduce((highest, serial) => Math.max(highest, serial), 0) }
  }
  const read = async (serial: number): Promise<StateReply<Version>> => {
    const text = await bucket.get(keyOf(serial))
    if (!text.ok) return text
    return text.value === undefined ? missing(serial) : { ok: true, value: { serial, text: text.value } }
  }
  const newest = async (): Promise<StateReply<Version | undefined>> => {
    const listed = seen > 0 ? ({ ok: true, value: seen } as const) : await findListed()
    if (!listed.ok) return listed
    let found: Version | undefined
    for (let serial = Math.max(1, listed.value); ; serial += 1) {
      const text = await bucket.get(keyOf(serial))
      if (!text.ok) return text
      if (text.value === undefined)
        return serial === listed.value ? missing(serial) : { ok: true, value: found }
      found = { serial, text: text.value }
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
      const created = await bucket.create(keyOf(serial), text)
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

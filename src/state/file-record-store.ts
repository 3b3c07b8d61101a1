import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { digestOf } from '../plan/canonical.js'
import { type ApplyRecord, emptyRecord } from '../plan/record.js'
import { checkRecord } from '../schema/check.js'
import { createFile, replaceFile } from './durable-file.js'
import type { RecordStore, StateFailure, StateReply } from './record-store.js'

const format = 1

/** Keeps the record of a site in a file of its own below `folder`. */
export function fileRecordStore(folder: string, site: string): RecordStore {
  const path = join(folder, `${siteKey(site)}.json`)
  const claimPath = (planId: string) => join(folder, `${siteKey(site)}-${shortDigest(planId)}.used`)
  const failed = (kind: StateFailure['kind'], reason: string) =>
    ({ ok: false, failure: { kind, where: path, reason } }) as const
  return {
    async read() {
      try {
        return parseRecord(await readPrivate(path), site, failed)
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ENOENT'
          ? { ok: true, value: emptyRecord(site) }
          : failed('unreadable', reasonOf(error))
      }
    },
    async write(record) {
      try {
        const stored = { ...record, checksum: digestOf(record) }
        await replaceFile(path, `${JSON.stringify(stored, null, 2)}\n`)
        return { ok: true, value: undefined }
      } catch (error) {
        return failed('unwritable', reasonOf(error))
      }
    },
    async claim(planId) {
      try {
        return { ok: true, value: await createFile(claimPath(planId), `${planId}\n`) }
      } catch (error) {
        return failed('unwritable', reasonOf(error))
      }
    },
    // One that stays is in nobody's way: its plan is used, as the record says.
    release: planId => rm(claimPath(planId), { force: true }).catch(() => undefined),
  }
}

/** A file name for a site: its host, and a digest of the whole address, for two sites may share a host. */
function siteKey(site: string): string {
  const host = new URL(site).host.replaceAll(/[^A-Za-z0-9.-]/g, '_')
  return `${host}-${shortDigest(site)}`
}

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

type Failed = (kind: StateFailure['kind'], reason: string) => StateReply<never>

function parseRecord(text: string, site: string, failed: Failed): StateReply<ApplyRecord> {
  let stored: unknown
  try {
    stored = JSON.parse(text)
  } catch {
    return failed('damaged', 'it is not JSON')
  }
  const version = (stored as { formatVersion?: unknown } | null)?.formatVersion
  if (typeof version === 'number' && version > format)
    return failed('newer', 'a newer Landform wrote it; use that one')
  if (checkRecord(stored).length > 0) return failed('damaged', 'it is no apply record')
  const { checksum, ...record } = stored as ApplyRecord & { readonly checksum: string }
  if (digestOf(record) !== checksum) return failed('damaged', 'its checksum is wrong')
  if (record.site !== site) return failed('foreign', 'it belongs to another site')
  return { ok: true, value: record }
}

/** Follows no link and waits for no pipe: whoever can place one could make Landform read another file, or hang. */
async function readPrivate(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).message
}

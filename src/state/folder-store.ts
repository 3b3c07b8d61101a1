import type { Result } from '../result.js'
import { type ObjectStore, type Page, readPages } from './object-backend.js'
import { siteKey } from './series.js'
import type { ObjectReason } from './state-failure.js'

/** A complete answer of object storage. */
export interface StorageAnswer {
  readonly status: number
  readonly bytes: Buffer
  /** The metadata of an object: the ID of the write that created it. */
  readonly run?: string
  /** The server's `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number
}

/** The differences between kinds of object storage: their requests. */
interface StorageRequests extends Pick<ObjectStore, 'kind' | 'create' | 'read'> {
  /** The reason for a response that is not a listing. */
  readonly noListing: ObjectReason
  /** Lists the objects whose names begin with `prefix`. */
  readPage(prefix: string, token: string | undefined): Promise<Result<Page, ObjectReason>>
}

/** Stores each site in a folder below the prefix. An empty prefix is the whole bucket or container. */
export function folderStore(prefix: string, requests: StorageRequests): ObjectStore {
  const { kind, create, read, noListing, readPage } = requests
  const root = prefix === '' ? '' : `${prefix}/`
  return {
    kind,
    create,
    read,
    probeName: `${root}landform-probe.json`,
    keyOf: siteKey,
    nameOf: (key, serial) => `${root}${key}/${String(serial).padStart(6, '0')}.json`,
    async listSerials(key) {
      const below = `${root}${key}/`
      const names = await readPages(noListing, token => readPage(below, token))
      if (!names.ok) return names
      const serials = names.value.map(name => /^(\d{6,})\.json$/.exec(name.slice(below.length))?.[1] ?? 0)
      return { ok: true, value: serials.map(Number) }
    },
  }
}

/** Reads the code of an error body. The rest is never shown, because the message may quote a credential. */
export function parseErrorCode(bytes: Buffer): string | undefined {
  return /<Error(?:Response)?\b[^>]*>.*?<Code>([A-Za-z0-9]{1,60})<\/Code>/s.exec(
    bytes.toString('utf8', 0, 16_384),
  )?.[1]
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Decodes the text of an XML element. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => entities[name] ?? '')
}

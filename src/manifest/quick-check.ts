import type { JsonPointer } from '../diagnostics/pointer.js'
import { checkManifest } from '../schema/check-manifest.js'
import { isObject, type JsonObject } from '../schema/json-schema.js'
import { readValue } from '../schema/member.js'
import { readDeclaredVersion } from './declared-version.js'
import { ignoreMark } from './ignore-mark.js'
import { merge } from './merge.js'
import { readQuickly } from './quick-value.js'
import { passesRules } from './rules/passed.js'
import type { SiteIdentity } from './site-identity.js'
import { decodeText, type Source } from './source.js'
import { yamlLimits } from './yaml-limits.js'

/** True if a manifest has no diagnostics; see `readCleanValue`. */
export function isClean(source: Source): boolean {
  return readCleanValue(source) !== undefined
}

/** Merges a value with what it extends; `undefined` leaves the manifest to `loadManifest`. */
export type MergeWithBase = (own: JsonObject) => JsonObject | undefined

/**
 * Reads the value of a manifest without diagnostics, on a fast path that knows no places. `undefined` only means that
 * `loadManifest` must check it: there may be a mistake, or just something unusual.
 */
export function readCleanValue(
  source: Source,
  merge: MergeWithBase = () => undefined,
): JsonObject | undefined {
  const own = readOrdinaryObject(source)
  const value = own !== undefined && 'extends' in own ? merge(own) : own
  if (value === undefined || checkManifest(value).length > 0) return undefined
  // The fast reader accepts no number with an unusual notation.
  const manifest = { value, version: readDeclaredVersion(value), numeral: () => undefined }
  return passesRules(manifest) ? value : undefined
}

/** Merges a value with the base that it extends, if `findBase` knows what is at that path; `undefined` otherwise. */
export function mergeWithBase(
  own: JsonObject,
  findBase: (path: string) => JsonObject | undefined,
): JsonObject | undefined {
  const path = own['extends']
  const base = typeof path === 'string' && path !== '' ? findBase(path) : undefined
  const value = base === undefined ? undefined : merge(own, base).value
  return value !== undefined && isObject(value) ? value : undefined
}

/** Reads a map on the fast path. A comment that silences findings is unusual: it may be one that silences nothing. */
export function readOrdinaryObject(source: Source): JsonObject | undefined {
  const text = source.bytes.byteLength > yamlLimits.bytes ? undefined : decodeText(source)
  const value = text === undefined || text.includes(ignoreMark) ? undefined : readQuickly(text)
  return value !== undefined && isObject(value) ? value : undefined
}

/** Reads the site of a valid manifest: its name, its URL, and its declared state location. */
export function readSite(value: JsonObject): SiteIdentity {
  const textAt = (pointer: JsonPointer) => {
    const found = readValue(value, pointer)
    // A piece of a text keeps all of it in memory, and the sites of all files are kept.
    return typeof found === 'string' ? Buffer.from(found).toString() : undefined
  }
  const [name = '', url = ''] = [textAt('/metadata/name'), textAt('/spec/site/url')]
  return { name, url, state: textAt('/spec/state') }
}

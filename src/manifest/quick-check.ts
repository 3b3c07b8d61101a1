import type { JsonPointer } from '../diagnostics/pointer.js'
import { checkManifest } from '../schema/check-manifest.js'
import { isObject, type JsonObject } from '../schema/json-schema.js'
import { readDeclaredVersion } from './declared-version.js'
import type { FindBase } from './extends.js'
import { merge } from './merge.js'
import { decodeOrdinary, readOrdinaryMap } from './quick-value.js'
import { identityRules, rules } from './rules/all.js'
import type { Rule } from './rules/rule.js'
import { select } from './select.js'
import { Siblings } from './siblings.js'
import type { SiteIdentity } from './site-identity.js'
import type { Source } from './source.js'

/** True if a manifest has no diagnostics; see `readCleanValue`. */
export function isClean(source: Source): boolean {
  return readCleanValue(source) !== undefined
}

/** Those of this process. */
const known = new Siblings()

/**
 * Reads the value of a manifest without diagnostics, on a fast path that knows no places. `undefined` only means that
 * `loadManifest` must check it: there may be a mistake, or just something unusual.
 */
export function readCleanValue(
  source: Source,
  findBase: FindBase = () => undefined,
  siblings = known,
): JsonObject | undefined {
  const text = decodeOrdinary(source)
  if (text === undefined) return undefined
  const sibling = siblings.recognize(text, findBase)
  // All else was looked at in the one that it is like.
  if (sibling !== undefined) return passes(sibling, text, identityRules) ? sibling : undefined
  const read = readOrdinaryMap(text)
  if (read === undefined) return undefined
  const own = read.value
  const value = 'extends' in own ? mergeWithBase(own, findBase) : own
  if (value === undefined || checkManifest(value).length > 0) return undefined
  if (!passes(value, value === own ? text : undefined, rules)) return undefined
  siblings.learn(text, read, value, findBase)
  return value
}

/** True if none of these rules has a diagnostic. The fast reader accepts no number with an unusual notation. */
function passes(value: JsonObject, text: string | undefined, asked: readonly Rule[]): boolean {
  const manifest = { value, version: readDeclaredVersion(value), text, numeral: () => undefined }
  for (const rule of asked) for (const _ of rule(manifest)) return false
  return true
}

/** Merges a value with the base that it extends, if `findBase` knows what is at that path; `undefined` otherwise. */
export function mergeWithBase(own: JsonObject, findBase: FindBase): JsonObject | undefined {
  const path = own['extends']
  const base = typeof path === 'string' && path !== '' ? findBase(path) : undefined
  const value = base === undefined ? undefined : merge(own, base).value
  return value !== undefined && isObject(value) ? value : undefined
}

/** Reads the site of a valid manifest: its name, its URL, and its declared state location. */
export function readSite(value: JsonObject): SiteIdentity {
  const textAt = (pointer: JsonPointer) => {
    const [found] = select(value, pointer)
    // A piece of a text keeps all of it in memory, and the sites of all files are kept.
    return typeof found?.value === 'string' ? Buffer.from(found.value).toString() : undefined
  }
  const [name = '', url = ''] = [textAt('/metadata/name'), textAt('/spec/site/url')]
  return { name, url, state: textAt('/spec/state') }
}

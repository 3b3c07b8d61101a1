import type { JsonPointer } from '../diagnostics/pointer.js'
import { checkManifest } from '../schema/check-manifest.js'
import { isObject, type JsonObject } from '../schema/json-schema.js'
import { readMember } from '../schema/member.js'
import { readDeclaredVersion } from './declared-version.js'
import { identify, Memory } from './known-parts.js'
import { merge } from './merge.js'
import { decodeOrdinary, readOrdinaryMap } from './quick-value.js'
import { type RuleGroup, ruleGroups } from './rules/all.js'
import type { ManifestDocument, Rule } from './rules/rule.js'
import { select } from './select.js'
import type { SiteIdentity } from './site-identity.js'
import type { Source } from './source.js'

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
  const text = decodeOrdinary(source)
  const own = text === undefined ? undefined : readOrdinaryMap(text)
  const value = own !== undefined && 'extends' in own ? merge(own) : own
  if (value === undefined || checkManifest(value).length > 0) return undefined
  // The fast reader accepts no number with an unusual notation.
  const manifest = {
    value,
    version: readDeclaredVersion(value),
    text: value === own ? text : undefined,
    numeral: () => undefined,
  }
  return groups.every(group => group.passes(manifest)) ? value : undefined
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

/** Rules that do not look twice at what manifests have in common. */
class RememberingGroup {
  readonly #reads: readonly (readonly string[])[]
  readonly #rules: readonly Rule[]
  /** What has passed. */
  readonly #passed = new Memory<true>()

  constructor({ reads, rules }: RuleGroup) {
    this.#reads = reads.map(pointer => pointer.slice(1).split('/'))
    this.#rules = rules
  }

  passes(manifest: ManifestDocument): boolean {
    const key = this.#identify(manifest)
    if (key !== undefined && this.#passed.get(key) === true) return true
    for (const rule of this.#rules) for (const _ of rule(manifest)) return false
    if (key !== undefined) this.#passed.set(key, true)
    return true
  }

  /** Returns a text that manifests share where all that is read is the same in them. */
  #identify({ value }: ManifestDocument): string | undefined {
    let key: string | undefined
    for (const names of this.#reads) {
      const part = identify(names.reduce(readMember, value))
      if (part === undefined) return undefined
      key = key === undefined ? part : `${key}\n${part}`
    }
    return key
  }
}

const groups = ruleGroups.map(group => new RememberingGroup(group))

import type { JsonPointer } from '../diagnostics/pointer.js'
import { checkManifest } from '../schema/check-manifest.js'
import { isObject, type JsonObject } from '../schema/json-schema.js'
import { readMember, readValue } from '../schema/member.js'
import { readDeclaredVersion } from './declared-version.js'
import { identify, Memory } from './known-parts.js'
import { merge } from './merge.js'
import { readOrdinaryObject } from './quick-value.js'
import { type RuleGroup, ruleGroups } from './rules/all.js'
import type { ManifestDocument } from './rules/rule.js'
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
  const own = readOrdinaryObject(source)
  const value = own !== undefined && 'extends' in own ? merge(own) : own
  if (value === undefined || checkManifest(value).length > 0) return undefined
  // The fast reader accepts no number with an unusual notation.
  const manifest = { value, version: readDeclaredVersion(value), numeral: () => undefined }
  return checks.every(check => check.passes(manifest)) ? value : undefined
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
    const found = readValue(value, pointer)
    // A piece of a text keeps all of it in memory, and the sites of all files are kept.
    return typeof found === 'string' ? Buffer.from(found).toString() : undefined
  }
  const [name = '', url = ''] = [textAt('/metadata/name'), textAt('/spec/site/url')]
  return { name, url, state: textAt('/spec/state') }
}

type Check = (manifest: ManifestDocument) => boolean

/** A check that does not look twice at what manifests have in common; one that reads no place looks at each of them. */
class RememberedCheck {
  readonly #reads: readonly (readonly string[])[]
  readonly #check: Check
  /** What has passed. */
  readonly #passed = new Memory<true>()

  constructor(reads: Iterable<string>, check: Check) {
    this.#reads = [...reads].map(pointer => pointer.slice(1).split('/'))
    this.#check = check
  }

  passes(manifest: ManifestDocument): boolean {
    const key = this.#passed.pays ? this.#identify(manifest) : undefined
    if (key === undefined) return this.#check(manifest)
    if (this.#passed.get(key) === true) return true
    const passes = this.#check(manifest)
    if (passes) this.#passed.set(key, true)
    return passes
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

function toCheck({ reads, rules }: RuleGroup): RememberedCheck {
  return new RememberedCheck(reads, manifest => {
    for (const rule of rules) for (const _ of rule(manifest)) return false
    return true
  })
}

const common = ruleGroups.filter(({ reads }) => reads.length > 0)
const each = common.map(toCheck)

/** Most manifests of a fleet have all of it in common with others; where that is not so, each group is tried alone. */
const checks: readonly RememberedCheck[] = [
  new RememberedCheck(new Set(common.flatMap(({ reads }) => reads)), manifest =>
    each.every(check => check.passes(manifest)),
  ),
  ...ruleGroups.filter(({ reads }) => reads.length === 0).map(toCheck),
]

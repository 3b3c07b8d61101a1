import type { JsonPointer } from '../diagnostics/pointer.js'
import { checkManifest } from '../schema/check-manifest.js'
import { isObject, type JsonObject } from '../schema/json-schema.js'
import { valueAt } from '../schema/member.js'
import { declaredVersion } from './declared-version.js'
import { ignoreMark } from './ignore-mark.js'
import { quickValue } from './quick-value.js'
import { rules } from './rules/all.js'
import { type Source, textOf } from './source.js'
import { caps } from './yaml-limits.js'

/** True if a manifest has no diagnostics; see `cleanValue`. */
export function isClean(source: Source): boolean {
  return cleanValue(source) !== undefined
}

/**
 * Reads the value of a manifest without diagnostics, on a fast path that knows no places. `undefined` only means that
 * `loadManifest` must check it: there may be a mistake, or just something unusual.
 */
export function cleanValue(source: Source): JsonObject | undefined {
  const text = source.bytes.byteLength > caps.bytes ? undefined : textOf(source)
  const value = text === undefined || text.includes(ignoreMark) ? undefined : quickValue(text)
  if (value === undefined || !isObject(value) || 'extends' in value) return undefined
  if (checkManifest(value).length > 0) return undefined
  // The fast reader accepts no number with an unusual notation.
  const manifest = { value, version: declaredVersion(value), numeral: () => undefined }
  const isFine = rules.every(rule => rule(manifest)[Symbol.iterator]().next().done === true)
  return isFine ? value : undefined
}

/** Reads the site of a valid manifest: its name, its URL, and its declared state location. */
export function siteIn(value: JsonObject): {
  readonly name: string
  readonly url: string
  readonly state: string | undefined
} {
  const textAt = (pointer: JsonPointer) => {
    const found = valueAt(value, pointer)
    return typeof found === 'string' ? found : undefined
  }
  const [name = '', url = ''] = [textAt('/metadata/name'), textAt('/spec/site/url')]
  return { name, url, state: textAt('/spec/state') }
}

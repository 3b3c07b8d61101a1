import { isObject, type JsonObject } from '../schema/json-schema.js'
import { readMember, readValue } from '../schema/member.js'
import type { FindBase } from './extends.js'
import type { LocatedValue } from './quick-value.js'
import { isPlainSiteUrl } from './site-url.js'

/** A manifest without diagnostics, whose text is cut where it has its name and its URL. */
interface Sibling {
  readonly before: string
  readonly between: string
  readonly after: string
  /** What it extends, and what was there. */
  readonly path: string | undefined
  readonly base: JsonObject | undefined
  /** Merged with its base. */
  readonly value: JsonObject
}

/** So many are remembered, and looked at for each text. */
const mostRemembered = 30
/** Far below the limits of the reader, which therefore are the same for all siblings. */
const longestText = 20_000

/**
 * Remembers manifests without diagnostics, to recognize others by them: those of a fleet often differ in nothing but what differs
 * in all, the name and the URL.
 */
export class Siblings {
  #known: Sibling[] = []
  #learned = 0
  #recognized = 0
  #pays = true

  /**
   * Reads the value of a text that differs from a known one only in its name and its URL. Both are so plain that neither the
   * schema nor a rule of either has anything to say.
   */
  recognize(text: string, findBase: FindBase): JsonObject | undefined {
    for (const one of this.#known) {
      const value = readSibling(text, one)
      if (value === undefined || (one.path !== undefined && findBase(one.path) !== one.base)) continue
      this.#recognized += 1
      return value
    }
    return undefined
  }

  /** Remembers a text that was read to a value without diagnostics; no longer where hardly any was of use. */
  learn(text: string, read: LocatedValue<JsonObject>, value: JsonObject, findBase: FindBase): void {
    if (!this.#pays || text.length > longestText) return
    const pieces = cut(text, read)
    if (pieces === undefined) return
    const extended = readMember(read.value, 'extends')
    const path = typeof extended === 'string' ? extended : undefined
    this.#learned += 1
    this.#known.unshift({ ...pieces, path, base: path === undefined ? undefined : findBase(path), value })
    if (this.#known.length > mostRemembered) this.#known.pop()
    this.#pays = this.#learned <= mostRemembered + this.#recognized
    if (!this.#pays) this.#known = []
  }
}

function readSibling(text: string, { before, between, after, value }: Sibling): JsonObject | undefined {
  if (!text.startsWith(before)) return undefined
  plainName.lastIndex = before.length
  if (!plainName.test(text)) return undefined
  const nameEnd = plainName.lastIndex
  const [urlStart, urlEnd] = [nameEnd + between.length, text.length - after.length]
  if (!text.startsWith(between, nameEnd) || !text.endsWith(after)) return undefined
  const url = text.slice(urlStart, urlEnd)
  return isPlainSiteUrl(url) ? rename(value, text.slice(before.length, nameEnd), url) : undefined
}

/** A name that YAML reads as a text. */
const plainName = /(?!(?:null|true|false)\b)[a-z](?:-?[a-z0-9]){0,62}/y

/** Cuts a text; `undefined` where its name or its URL is unusual. */
function cut(text: string, { value, nameAt = -1, urlAt = -1 }: LocatedValue<JsonObject>) {
  const [name, url] = [readValue(value, '/metadata/name'), readValue(value, '/spec/site/url')]
  if (typeof name !== 'string' || typeof url !== 'string' || nameAt < 0 || urlAt < 0) return undefined
  const [nameEnd, urlEnd] = [nameAt + name.length, urlAt + url.length]
  const isThere = text.startsWith(name, nameAt) && text.startsWith(url, urlAt) && nameEnd < urlAt
  // What has an anchor may be repeated elsewhere, and other ends of lines were read as plain ones.
  if (!isThere || /[&\r]/.test(text)) return undefined
  return { before: text.slice(0, nameAt), between: text.slice(nameEnd, urlAt), after: text.slice(urlEnd) }
}

function rename(
  { metadata, spec, ...others }: JsonObject,
  name: string,
  url: string,
): JsonObject | undefined {
  const site = readMember(spec, 'site')
  if (!isObject(metadata) || !isObject(spec) || !isObject(site)) return undefined
  return { ...others, metadata: { ...metadata, name }, spec: { ...spec, site: { ...site, url } } }
}

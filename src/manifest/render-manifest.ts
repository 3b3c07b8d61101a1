import { Document, isCollection, isMap, isNode, isScalar, isSeq, visit } from 'yaml'
import { findFieldSchema } from '../schema/field-schema.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { appendSegment, formatDotted, type JsonPointer } from '../schema/pointer.js'
import { listNames, readMember, readValue } from '../schema/select.js'
import { type EffectiveManifest, mergeDocuments } from './effective.js'
import type { Source } from './source.js'
import { parseYaml } from './yaml-document.js'
import { isVisible } from './yaml-text.js'

/** Renders a merged manifest as a value, without `extends`. */
export function renderValue(whole: EffectiveManifest): JsonValue {
  return removeExtends(whole.value)
}

/** The comments that `renderManifest` adds. */
interface OriginComments {
  /** The only part to render; the whole manifest without it. */
  readonly part?: JsonPointer
  /** Describes the origin of a value: a line beside it, and lines above. Empty for an unset field without an origin. */
  describe(pointer: JsonPointer): readonly string[]
}

/**
 * Renders a merged manifest as YAML in which only quoted text needs escapes. With `origins`, comments describe the origin of
 * each value, and of each field that is not set but has one.
 */
export function renderManifest(whole: EffectiveManifest, origins?: OriginComments): string {
  const { part = '', describe } = origins ?? {}
  const value = part === '' ? removeExtends(whole.value) : readValue(whole.value, part)
  const name = formatDotted(part)
  if (value === undefined)
    return formatAbsent(name, describe?.(part) ?? [])
      .replaceAll(/^/gm, '#')
      .concat('\n')
  const document = new Document(part === '' ? value : { [name]: value })
  visit(document, {
    // Only quoted text can contain escapes, and `##` in quotes is not a comment.
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && (!isVisible(node.value) || node.value.includes('##')))
        node.type = 'QUOTE_DOUBLE'
    },
  })
  const { contents } = document
  if (describe !== undefined && isMap(contents)) {
    const [pair] = part === '' ? [] : contents.items
    addOriginComments(pair?.value ?? contents, part, { whole, describe }, pair?.key)
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: true, doubleQuotedAsJSON: true })
}

/** Merges files, nearest first; all must be readable. */
export function mergeSources(sources: readonly Source[]): EffectiveManifest {
  const [document, ...others] = sources.flatMap(one => parseYaml(one).document ?? [])
  if (document === undefined) throw new Error('a manifest must be readable to be rendered')
  return mergeDocuments([document, ...others])
}

/** Removes `extends`, and sorts the fields in the order of the schema, because the fields of a base come first. */
function removeExtends(value: JsonValue): JsonValue {
  if (!isObject(value)) return value
  const names = Object.keys(findFieldSchema('').properties ?? {})
  const present = names.filter(name => name !== 'extends' && Object.hasOwn(value, name))
  return Object.fromEntries(present.map(name => [name, value[name] ?? null]))
}

interface CommentedManifest extends Pick<OriginComments, 'describe'> {
  readonly whole: EffectiveManifest
}

/** Adds the comments to a value: on and above its line for a scalar or an empty map or list, otherwise to its members. */
function addOriginComments(
  node: unknown,
  pointer: JsonPointer,
  manifest: CommentedManifest,
  key = node,
): void {
  const { describe } = manifest
  if (isScalar(node) || (isCollection(node) && node.items.length === 0)) {
    const [own, ...others] = describe(pointer)
    if (own !== undefined) node.comment = ` ${own}`
    if (others.length > 0 && isNode(key)) key.commentBefore = others.map(line => ` ${line}`).join('\n')
  } else if (isSeq(node))
    for (const [index, item] of node.items.entries())
      addOriginComments(item, appendSegment(pointer, index), manifest)
  else if (isMap(node)) {
    for (const { key: name, value } of node.items)
      if (isScalar(name)) addOriginComments(value, appendSegment(pointer, String(name.value)), manifest, name)
    const absent = listAbsentNames(pointer, manifest.whole).flatMap(name => {
      const origin = describe(appendSegment(pointer, name))
      return origin.length === 0 ? [] : [formatAbsent(name, origin)]
    })
    if (absent.length > 0) node.comment = absent.join('\n')
  }
}

/** Formats the lines of a comment about a field that is not set. */
function formatAbsent(name: string, [own = 'not set', ...others]: readonly string[]): string {
  return [` ${name}: ${own}`, ...others.map(line => `   ${line}`)].join('\n')
}

/** Lists the fields that a map could have, and those that a file removed from it. */
function listAbsentNames(pointer: JsonPointer, whole: EffectiveManifest): readonly string[] {
  const map = readValue(whole.value, pointer)
  const written = whole.findLayers(pointer).map(layer => readValue(layer.document.value, layer.pointer))
  const names = [...Object.keys(findFieldSchema(pointer).properties ?? {}), ...written.flatMap(listNames)]
  return [...new Set(names)].filter(name => name !== 'extends' && readMember(map, name) === undefined)
}

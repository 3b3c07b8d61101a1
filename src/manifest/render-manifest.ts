import { Document, isMap, isPair, isScalar, isSeq, type Node, visit } from 'yaml'
import { appendSegment, type JsonPointer } from '../diagnostics/pointer.js'
import { findFieldSchema } from '../schema/field-schema.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { type EffectiveManifest, mergeDocuments } from './effective.js'
import type { Source } from './source.js'
import { parseYaml } from './yaml-document.js'
import { isVisible } from './yaml-text.js'

/** Merges a manifest with its bases, without `extends`; all must be readable. */
export function renderValue(sources: readonly Source[]): JsonValue {
  return removeExtends(mergeSources(sources).value)
}

/**
 * Renders the merged manifest as YAML in which only quoted text needs escapes. With `origins`, a comment on each value
 * names the file and line it was written in.
 */
export function renderManifest(sources: readonly Source[], origins: boolean): string {
  const whole = mergeSources(sources)
  const document = new Document(removeExtends(whole.value))
  visit(document, {
    // Only quoted text can contain escapes, and `##` in quotes is not a comment.
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && (!isVisible(node.value) || node.value.includes('##')))
        node.type = 'QUOTE_DOUBLE'
    },
  })
  if (origins) addOriginComments(document.contents, '', whole)
  return document.toString({ lineWidth: 0, flowCollectionPadding: true, doubleQuotedAsJSON: true })
}

/** Merges files, nearest first; all must be readable. */
export function mergeSources(sources: readonly Source[]): EffectiveManifest {
  const [document, ...others] = sources.flatMap(one => parseYaml(one).document ?? [])
  if (document === undefined) throw new Error('a manifest must be readable to be rendered')
  return mergeDocuments([document, ...others])
}

/** Sorts the fields in the order of the schema, because the fields of a base come first. */
function removeExtends(value: JsonValue): JsonValue {
  if (!isObject(value)) return value
  const names = Object.keys(findFieldSchema('').properties ?? {})
  const present = names.filter(name => name !== 'extends' && Object.hasOwn(value, name))
  return Object.fromEntries(present.map(name => [name, value[name] ?? null]))
}

/** Adds a comment with the origin to every scalar and to every empty map and list. */
function addOriginComments(
  node: Node | null,
  pointer: JsonPointer,
  { place }: Pick<EffectiveManifest, 'place'>,
): void {
  if (isMap(node))
    for (const pair of node.items) {
      if (isPair(pair) && isScalar(pair.key))
        addOriginComments(pair.value as Node, appendSegment(pointer, String(pair.key.value)), { place })
    }
  else if (isSeq(node))
    for (const [index, item] of node.items.entries())
      addOriginComments(item as Node, appendSegment(pointer, index), { place })
  const isLeaf = isScalar(node) || ((isMap(node) || isSeq(node)) && node.items.length === 0)
  if (!isLeaf) return
  const { file, start } = place(pointer, 'value')
  node.comment = ` ${file.replaceAll(/\s/g, ' ')}:${start.line}`
}

import { Document, isMap, isPair, isScalar, isSeq, type Node, visit } from 'yaml'
import { child, type JsonPointer } from '../diagnostics/pointer.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { fieldSchema } from '../schema/manifest-schema.js'
import { type Effective, effectiveOf } from './effective.js'
import type { Source } from './source.js'
import { parseYaml } from './yaml-document.js'
import { showsAll } from './yaml-text.js'

/** Merges a manifest with its bases, without `extends`; all must be readable. */
export function renderedValue(sources: readonly Source[]): JsonValue {
  return withoutExtends(effectiveManifest(sources).value)
}

/**
 * Renders the merged manifest as YAML in which only quoted text needs escapes. With `origins`, a comment on each value
 * names the file and line it was written in.
 */
export function renderManifest(sources: readonly Source[], origins: boolean): string {
  const whole = effectiveManifest(sources)
  const document = new Document(withoutExtends(whole.value))
  visit(document, {
    // Only quoted text can contain escapes, and `##` in quotes is not a comment.
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && (!showsAll(node.value) || node.value.includes('##')))
        node.type = 'QUOTE_DOUBLE'
    },
  })
  if (origins) annotate(document.contents, '', whole)
  return document.toString({ lineWidth: 0, flowCollectionPadding: true, doubleQuotedAsJSON: true })
}

/** Merges files, nearest first; all must be readable. */
export function effectiveManifest(sources: readonly Source[]): Effective {
  const [document, ...others] = sources.flatMap(one => parseYaml(one).document ?? [])
  if (document === undefined) throw new Error('a manifest must be readable to be rendered')
  return effectiveOf([document, ...others])
}

/** Sorts the fields in the order of the schema, because the fields of a base come first. */
function withoutExtends(value: JsonValue): JsonValue {
  if (!isObject(value)) return value
  const names = Object.keys(fieldSchema('').properties ?? {})
  const present = names.filter(name => name !== 'extends' && Object.hasOwn(value, name))
  return Object.fromEntries(present.map(name => [name, value[name] ?? null]))
}

/** Adds a comment with the origin to every scalar and to every empty map and list. */
function annotate(node: Node | null, pointer: JsonPointer, { place }: Pick<Effective, 'place'>): void {
  if (isMap(node))
    for (const pair of node.items) {
      if (isPair(pair) && isScalar(pair.key))
        annotate(pair.value as Node, child(pointer, String(pair.key.value)), { place })
    }
  else if (isSeq(node))
    for (const [index, item] of node.items.entries()) annotate(item as Node, child(pointer, index), { place })
  const isLeaf = isScalar(node) || ((isMap(node) || isSeq(node)) && node.items.length === 0)
  if (!isLeaf) return
  const { file, start } = place(pointer, 'value')
  node.comment = ` ${file.replaceAll(/\s/g, ' ')}:${start.line}`
}

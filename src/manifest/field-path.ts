import { findSimilar } from '../diagnostics/did-you-mean.js'
import { findFieldSchema } from '../schema/field-schema.js'
import type { JsonValue } from '../schema/json-schema.js'
import {
  appendSegment,
  formatDotted,
  type JsonPointer,
  readLastSegment,
  readParent,
  splitPointer,
} from '../schema/pointer.js'
import { listMembers } from '../schema/select.js'

/** Finds the field of a path with dots or slashes, with or without a leading `spec`. */
export function findFieldByPath(path: string): JsonPointer | undefined {
  return listSpellings(path)
    .map(words => words.reduce<JsonPointer>(appendSegment, ''))
    .find(exists)
}

/**
 * Finds the place of a path in a manifest: one that exists, even if its names contain dots, or else one that it could
 * have.
 */
export function findPlaceByPath(path: string, manifest: JsonValue): JsonPointer | undefined {
  if (splitPath(path).length === 0) return undefined
  const found = listSpellings(path).map(words => walkPath(manifest, words))
  return found.find(pointer => pointer !== undefined) ?? findFieldByPath(path) ?? findOpenField(path)
}

function walkPath(value: JsonValue, words: readonly string[], at: JsonPointer = ''): JsonPointer | undefined {
  if (words.length === 0) return at
  const members = listMembers(value)
  const ends = words.map((_, index) => index + 1)
  return ends
    .map(end => {
      const name = words.slice(0, end).join('.')
      const [, member] = members.find(([key]) => key === name) ?? []
      return member === undefined ? undefined : walkPath(member, words.slice(end), appendSegment(at, name))
    })
    .find(pointer => pointer !== undefined)
}

/** Finds a field inside a map that accepts any names. */
export function findOpenField(path: string): JsonPointer | undefined {
  return listSpellings(path)
    .map(words => words.reduce<JsonPointer>(appendSegment, ''))
    .find(pointer => pointer !== '' && isInOpenMap(readParent(pointer)))
}

function isInOpenMap(pointer: JsonPointer): boolean {
  return (
    pointer !== '' &&
    (findFieldSchema(pointer).additionalProperties === true || isInOpenMap(readParent(pointer)))
  )
}

function splitPath(path: string): readonly string[] {
  return path.startsWith('/')
    ? splitPointer(path as JsonPointer)
    : path
        .replaceAll(/\[(\d*|\*)\]/g, (_, index: string) => `.${Number.parseInt(index, 10) || 0}`)
        .split('.')
        .filter(Boolean)
}

function exists(pointer: JsonPointer): boolean {
  if (pointer === '') return false
  const owner = readParent(pointer)
  return Object.keys(findFieldSchema(pointer)).length > 0 && (owner === '' || exists(owner))
}

/** The nearest part of an unknown path that exists, and the names below it. */
export function findKnownPart(
  path: string,
): { readonly owner: string; readonly fields: readonly string[] } | undefined {
  const owner = listSpellings(path)
    .flatMap(words =>
      words.map((_, index) => words.slice(0, -1 - index).reduce<JsonPointer>(appendSegment, '')),
    )
    .find(one => exists(one) && (one !== '/spec' || path.startsWith('spec')))
  if (owner === undefined) return undefined
  const pointer = toElement(owner)
  return {
    owner: formatDotted(pointer),
    fields: Object.keys(findFieldSchema(pointer).properties ?? {}),
  }
}

/** The first element of a list; anything else, and what may be a map as well, itself. */
function toElement(pointer: JsonPointer): JsonPointer {
  const { items, properties } = findFieldSchema(pointer)
  return items === undefined || properties !== undefined ? pointer : appendSegment(pointer, 0)
}

/** Finds the intended field of a path whose last name is misspelled. */
export function suggestField(path: string): string | undefined {
  return listSpellings(path)
    .map(findNearestField)
    .find(name => name !== undefined)
}

function listSpellings(path: string): readonly (readonly string[])[] {
  const words = splitPath(path)
  return [words, ['spec', ...words]]
}

function findNearestField(path: readonly string[]): string | undefined {
  const owner = toElement(path.slice(0, -1).reduce<JsonPointer>(appendSegment, ''))
  const meant = findSimilar(path.at(-1) ?? '', Object.keys(findFieldSchema(owner).properties ?? {}))
  return meant === undefined ? undefined : formatDotted(appendSegment(owner, meant))
}

/** Formats the name of a field; for an element, the name of its list with its index. */
export function formatFieldName(pointer: JsonPointer): string {
  const list = readParent(pointer)
  const name = readLastSegment(pointer)
  const isElement = pointer !== '' && /^\d+$/.test(name) && findFieldSchema(list).items !== undefined
  return isElement ? `${readLastSegment(list)}[${name}]` : name
}

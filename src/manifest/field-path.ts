import { child, dotted, type JsonPointer, parentOf, segments } from '../diagnostics/pointer.js'
import type { JsonValue } from '../schema/json-schema.js'
import { fieldSchema } from '../schema/manifest-schema.js'
import { membersOf } from '../schema/member.js'
import { didYouMean } from './did-you-mean.js'

/** Finds the field of a path with dots or slashes, with or without a leading `spec`. */
export function fieldAt(path: string): JsonPointer | undefined {
  return spellings(path)
    .map(words => words.reduce<JsonPointer>(child, ''))
    .find(exists)
}

/**
 * Finds the place of a path in a manifest: one that exists, even if its names contain dots, or else one that it could
 * have.
 */
export function placeAt(path: string, manifest: JsonValue): JsonPointer | undefined {
  if (pathOf(path).length === 0) return undefined
  const found = spellings(path).map(words => walked(manifest, words))
  return found.find(pointer => pointer !== undefined) ?? fieldAt(path) ?? openFieldAt(path)
}

function walked(value: JsonValue, words: readonly string[], at: JsonPointer = ''): JsonPointer | undefined {
  if (words.length === 0) return at
  const members = membersOf(value)
  const ends = words.map((_, index) => index + 1)
  return ends
    .map(end => {
      const name = words.slice(0, end).join('.')
      const [, member] = members.find(([key]) => key === name) ?? []
      return member === undefined ? undefined : walked(member, words.slice(end), child(at, name))
    })
    .find(pointer => pointer !== undefined)
}

/** Finds a field inside a map that accepts any names. */
export function openFieldAt(path: string): JsonPointer | undefined {
  return spellings(path)
    .map(words => words.reduce<JsonPointer>(child, ''))
    .find(pointer => pointer !== '' && isOpen(parentOf(pointer)))
}

function isOpen(pointer: JsonPointer): boolean {
  return pointer !== '' && (fieldSchema(pointer).additionalProperties === true || isOpen(parentOf(pointer)))
}

function pathOf(path: string): readonly string[] {
  return path.startsWith('/')
    ? segments(path as JsonPointer)
    : path
        .replaceAll(/\[(\d*|\*)\]/g, (_, index: string) => `.${Number.parseInt(index, 10) || 0}`)
        .split('.')
        .filter(Boolean)
}

function exists(pointer: JsonPointer): boolean {
  return pointer !== '' && Object.keys(fieldSchema(pointer)).length > 0
}

/** Finds the intended field of a path whose last name is misspelled. */
export function fieldMeantBy(path: string): string | undefined {
  return spellings(path)
    .map(nearestField)
    .find(name => name !== undefined)
}

function spellings(path: string): readonly (readonly string[])[] {
  const words = pathOf(path)
  return [words, ['spec', ...words]]
}

function nearestField(path: readonly string[]): string | undefined {
  const owner = path.slice(0, -1).reduce<JsonPointer>(child, '')
  const meant = didYouMean(path.at(-1) ?? '', Object.keys(fieldSchema(owner).properties ?? {}))
  return meant === undefined ? undefined : dotted(child(owner, meant))
}

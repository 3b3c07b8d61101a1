import { child, type JsonPointer, segments } from '../diagnostics/pointer.js'
import { didYouMean } from '../manifest/did-you-mean.js'
import { dotted } from '../report/explain-field.js'
import { fieldSchema } from '../schema/field-schema.js'

/** The field that a path means: with dots or slashes, with or without `spec` at its beginning. */
export function fieldAt(path: string): JsonPointer | undefined {
  return spellings(path)
    .map(words => words.reduce<JsonPointer>(child, ''))
    .find(exists)
}

function pathOf(path: string): readonly string[] {
  return path.startsWith('/')
    ? segments(path as JsonPointer)
    : path
        .replaceAll(/\[(\d*|\*)\]/g, '.0')
        .split('.')
        .filter(Boolean)
}

function exists(pointer: JsonPointer): boolean {
  return pointer !== '' && Object.keys(fieldSchema(pointer)).length > 0
}

/** The field that is meant by a path whose last name is misspelt. */
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

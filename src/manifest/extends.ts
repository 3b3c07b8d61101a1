import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { isObject } from '../schema/json-schema.js'
import { findPathProblem } from './references.js'
import type { Source } from './source.js'
import { parseYaml, type YamlDocument } from './yaml-document.js'

/** The base that a file extends. */
export type Base =
  | { readonly kind: 'none' }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'problem'; readonly diagnostic: Diagnostic }

/** Reads the path of the base from a manifest, as written: relative to the file with `extends`. */
export function baseOf(source: Source): Base {
  return readParsedBase(parseYaml(source).document)
}

/** Reads the path of the base from a parsed file. */
export function readParsedBase(document: YamlDocument | undefined): Base {
  if (document === undefined) return { kind: 'none' }
  const { value, place } = document
  const path = isObject(value) ? value['extends'] : undefined
  // The schema reports a value that is not text.
  if (typeof path !== 'string' || path === '') return { kind: 'none' }
  const problem = findPathProblem(path)
  if (problem === undefined) return { kind: 'path', path }
  const diagnostic = diagnose('extends/path', '/extends', { problem })
  return { kind: 'problem', diagnostic: { ...diagnostic, place: place('/extends', 'value') } }
}

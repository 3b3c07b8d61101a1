import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { isObject, type JsonObject } from '../schema/json-schema.js'
import { findPathProblem } from './path-problem.js'
import { readOrdinaryObject } from './quick-value.js'
import type { Source } from './source.js'
import { parseYaml, type YamlDocument } from './yaml-document.js'

/** The base that a file extends. */
export type Base =
  | { readonly kind: 'none' }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'problem'; readonly diagnostic: Diagnostic }

/** Finds the value of the base at a path, with all that it extends itself; `undefined` for one that is missing, or unusual. */
export type FindBase = (path: string) => JsonObject | undefined

/** Reads the path that a manifest extends, as written: relative to the file with `extends`. */
export function baseOf(source: Source): Base {
  const ordinary = readOrdinaryObject(source)
  const path = ordinary?.['extends']
  if (ordinary !== undefined && path === undefined) return { kind: 'none' }
  if (typeof path === 'string' && path !== '' && findPathProblem(path) === undefined)
    return { kind: 'path', path }
  const { document } = parseYaml(source)
  return document === undefined ? { kind: 'none' } : readParsedBase(document)
}

/** Reads the path from a parsed file. */
export function readParsedBase({ value, place }: YamlDocument): Base {
  const path = isObject(value) ? value['extends'] : undefined
  // The schema reports a value that is not text.
  if (typeof path !== 'string' || path === '') return { kind: 'none' }
  const problem = findPathProblem(path)
  if (problem === undefined) return { kind: 'path', path }
  const diagnostic = diagnose('extends/path', '/extends', { problem })
  return { kind: 'problem', diagnostic: { ...diagnostic, place: place('/extends', 'value') } }
}

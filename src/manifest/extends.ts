import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { isObject } from '../schema/json-schema.js'
import { pathProblem } from './path-problem.js'
import type { Source } from './source.js'
import { parseYaml, type YamlDocument } from './yaml-document.js'

/** What a file says it builds on. */
export type Base =
  | { readonly kind: 'none' }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'problem'; readonly diagnostic: Diagnostic }

/** Far more than anyone needs, and few enough to read in a message. */
export const mostLayers = 8

/** The path that a manifest extends, as it is written: relative to the file that says it. */
export function baseOf(source: Source): Base {
  const { document } = parseYaml(source)
  return document === undefined ? { kind: 'none' } : baseIn(document)
}

/** The same of a file that is parsed already. */
export function baseIn({ value, place }: YamlDocument): Base {
  const path = isObject(value) ? value['extends'] : undefined
  // Of what is no text the schema has its own word to say.
  if (typeof path !== 'string' || path === '') return { kind: 'none' }
  const problem = pathProblem(path)
  if (problem === undefined) return { kind: 'path', path }
  const diagnostic = diagnose('extends/path', '/extends', { problem })
  return { kind: 'problem', diagnostic: { ...diagnostic, place: place('/extends', 'value') } }
}

import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import type { Place } from '../diagnostics/place.js'
import { decodeText, type Source } from '../manifest/source.js'
import { parseYaml } from '../manifest/yaml-document.js'
import { yamlLimits } from '../manifest/yaml-limits.js'

/** One property, as a shell would assign it; without a value if only a shell could compute it. */
export interface Property {
  readonly name: string
  /** The name in the file; values of a chart have other names. */
  readonly written: string
  readonly value: string | undefined
  readonly place: Place
  /** True for a value about the deployment in the cluster. */
  readonly isDeployment?: boolean
}

/** The properties of a file, and its diagnostics. */
export interface PropertyFile {
  /** One per name, from its last line. */
  readonly properties: readonly Property[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads a file of `NAME=value` as a POSIX shell reads plain assignments: words, quotes, comments, and `export`. The value of
 * `${NAME:-default}` is the default, if that is the name of the property. Runs nothing, and rejects values that need a shell.
 * No diagnostic quotes a value, because some are secrets.
 */
export function readProperties(source: Source): PropertyFile {
  // Only the beginning of a larger file was read; the rest would be lost silently.
  const isWhole = source.bytes.byteLength <= yamlLimits.bytes
  const text = isWhole ? decodeText(source) : undefined
  // Reports the same diagnostics as for a manifest.
  if (text === undefined) return { properties: [], diagnostics: parseYaml(source).diagnostics }
  const read = text.split(/\r?\n/).flatMap((line, index) => readLine(line, { file: source.name, index }))
  const properties = read.flatMap(one => ('name' in one ? [one] : []))
  const last = new Map(properties.map(one => [one.name, one]))
  const repeated = properties.flatMap(({ name, place }) => {
    const counting = last.get(name)?.place.start.line ?? 0
    const isLast = counting === place.start.line
    return isLast ? [] : [{ ...diagnose('properties/repeated', '', { name, line: counting }), place }]
  })
  return {
    properties: [...last.values()],
    diagnostics: [...read.flatMap(one => ('name' in one ? [] : [one])), ...repeated],
  }
}

/** Rejects a whole file with one diagnostic. */
export function rejectFile(source: Source, diagnostic: Diagnostic): PropertyFile {
  const start = { line: 1, column: 1 }
  return { properties: [], diagnostics: [{ ...diagnostic, place: { file: source.name, start, end: start } }] }
}

interface Where {
  readonly file: string
  readonly index: number
}

function readLine(line: string, { file, index }: Where): readonly (Property | Diagnostic)[] {
  if (/^\s*(?:#|$)/.test(line)) return []
  const toPlace = (from: number, to: number): Place => ({
    file,
    start: { line: index + 1, column: from + 1 },
    end: { line: index + 1, column: to + 1 },
  })
  const reject = (problem: string): readonly Diagnostic[] => [
    { ...diagnose('properties/syntax', '', { problem }), place: toPlace(0, line.length) },
  ]
  const [start = '', indent = '', name] = /^(\s*)(?:export\s+)?([A-Za-z_]\w*)=/.exec(line) ?? []
  if (name === undefined) return reject('is not of the form NAME=value')
  const begin = start.length
  const word = readWord(line.slice(begin), name)
  if (typeof word === 'string') return reject(word)
  const rest = line.slice(begin + word.length)
  if (!/^(?:\s+#.*|\s*)$/.test(rest)) return reject('has text after its value')
  return [{ name, written: name, value: word.value, place: toPlace(indent.length, begin + word.length) }]
}

interface Word {
  /** The length of the word in the source. */
  readonly length: number
  readonly value: string | undefined
}

/** A part of a word: in single quotes, in double quotes, or bare. */
const part = /^(?:'([^']*)'|"((?:[^"\\]|\\.)*)"|([^\s'"\\;&|<>()#]|(?<=.)#)+|\\(.))/

/** Reads the word at the beginning of a text, as the value of the property `name`. A returned string describes an error. */
function readWord(text: string, name: string): Word | string {
  const ownDefault = new RegExp(`(?<!\\\\)\\$\\{${name}:?[-=]([^\\\\\`"'$}]*)\\}`, 'g')
  let value = ''
  let depends = false
  let at = 0
  while (at < text.length && !/\s/.test(text.charAt(at))) {
    const found = part.exec(text.slice(at))
    if (found === null)
      return /['"]/.test(text.charAt(at)) ? 'has an unterminated quote' : 'has a special character of a shell'
    const [all, single, quoted, , escaped] = found
    const double = quoted?.replaceAll(ownDefault, '$1')
    const whole = all.replaceAll(ownDefault, '$1')
    const isBare = single === undefined && double === undefined && escaped === undefined
    depends ||=
      double === undefined ? isBare && /[$`~]/.test(whole) : /[$`]/.test(double.replaceAll(/\\./g, ''))
    value += single ?? double?.replaceAll(/\\([$`"\\])/g, '$1') ?? escaped ?? whole
    at += all.length
  }
  return { length: at, value: depends ? undefined : value }
}

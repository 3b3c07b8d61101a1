import { findFieldSchema } from '../schema/field-schema.js'
import type { JsonSchema } from '../schema/json-schema.js'
import { splitPointer } from '../schema/pointer.js'
import { isSecretKey, isSecretName, mayBeSecret } from './may-be-secret.js'
import { decodeText, type Source } from './source.js'
import { parseYaml } from './yaml-document.js'

/** A commented-out line with the value it set. */
const commentedSecret = /^(.*(?:pass|pwd|secret|token|answer|key)[\w-]*["']?\s*[:=]\s*)\S.*$/i

/**
 * Redacts the text of a manifest, so that its lines can be shown. Removes every value that may be a secret: where a
 * secret belongs, or under a name that resembles one. Line numbers stay the same. Returns `undefined` for invalid YAML,
 * because the places of secrets are then unknown.
 */
export function redactText(source: Source): string | undefined {
  const { document } = parseYaml(source)
  if (document === undefined) return undefined
  const { text, value, spans, unread } = document
  const secrets = [...spans].filter(([pointer]) =>
    mayBeSecret(splitPointer(pointer), readScalar(value, splitPointer(pointer))),
  )
  const hidden = [
    ...unread,
    ...secrets.map(([, span]) => span.value),
    ...secrets.flatMap(([, span]) => (span.source === undefined ? [] : [span.source])),
    ...[...spans].flatMap(([pointer, { key }]) =>
      key !== undefined && isSecretKey(splitPointer(pointer)) ? [key] : [],
    ),
  ]
    .filter(([from, to]) => to > from)
    .sort(([a], [b]) => a - b)
  let result = ''
  let end = 0
  for (const [from, to] of hidden) {
    if (to <= end) continue
    const start = Math.max(from, end)
    result += text.slice(end, start) + redact(text.slice(start, to))
    end = to
  }
  return (result + text.slice(end)).split('\n').map(redactComment).join('\n')
}

/** Redacts a comment. Keeps only its beginning, to limit the time of the check. */
function redactComment(line: string): string {
  const from = line.indexOf('#')
  if (from === -1) return line
  return line.slice(0, from) + line.slice(from, from + 400).replace(commentedSecret, '$1[hidden]')
}

function readScalar(root: unknown, path: readonly string[]): unknown {
  const value = path.reduce<unknown>(
    (owner, segment) => (owner as Readonly<Record<string, unknown>> | null | undefined)?.[segment],
    root,
  )
  return typeof value === 'object' ? undefined : value
}

function redact(text: string): string {
  return `[hidden]${text.replaceAll(/[^\n]/g, '')}`
}

/**
 * Reduces the lines of invalid YAML to their indentation, keys, punctuation, numbers and words of the schema, because
 * the places of secrets are unknown. Omits everything after the name of a secret, up to the next known field with the
 * same or less indentation. Returns `undefined` if the file is not text.
 */
export function buildSkeleton(source: Source): string | undefined {
  const known = listKnownWords()
  /** The indentation of a secret that may continue. */
  let secretIndent: number | undefined
  return decodeText(source)
    ?.split('\n')
    .map(line => {
      const [, shape = '', name = ''] = /^([\s-]*)(?:["']?([\w./-]{1,63})["']?\s*:)?/.exec(line) ?? []
      const ends = secretIndent !== undefined && shape.length <= secretIndent && known.has(name)
      if (ends) secretIndent = undefined
      if (secretIndent !== undefined) return line === shape ? shape : `${shape}…`
      const secret = [...line.matchAll(namedValue)].find(([, key = '']) => isSecretName(key))
      if (secret !== undefined) secretIndent = shape.length
      const end = secret === undefined ? line.length : secret.index + secret[0].length
      const rest = line.slice(end).trim() === '' ? '' : ' …'
      return `${showWords(line.slice(0, end), known)}${rest}`
    })
    .join('\n')
}

const namedValue = /([\w./-]{1,63})["']?\s*[:=]/g

/** An anchor or alias, a word, or a punctuation mark. */
const parts = /[*&][\w-]+|(?:[^\s{}[\],:"']|:(?=\S))+|[{}[\],:"']/g
const number = /^[-+]?\d{1,6}(?:\.\d{1,4}){0,3}(?:[KMGTPE]i?B?|m)?$/

/** Replaces all other words; the rest of the line keeps its columns. */
function showWords(line: string, known: ReadonlySet<string>): string {
  // Very long lines are cut.
  const [text = ''] = line.slice(0, 300).split(/(?<=^|\s)#/)
  const shown = text.replaceAll(parts, (word, offset: number) => {
    const next = text.slice(offset + word.length)
    const isKey = /^["']?\s*:(?:\s|$)/.test(next) && /(?:^[\s-]*|[{,]\s*)["']?$/.test(text.slice(0, offset))
    const isShown =
      isKey || known.has(word) || number.test(word) || /^(?:[{}[\],:"'|>]|-+|[*&][\w-]+)$/.test(word)
    return isShown ? word : `…${' '.repeat(word.length - 1)}`
  })
  return `${shown.replaceAll(/\u2026( +\u2026)+/g, run => `…${' '.repeat(run.length - 1)}`).trimEnd()}${text === line ? '' : '…'}`
}

let knownWords: ReadonlySet<string> | undefined

/** Collects the names of all fields of a manifest, and its documented values. */
function listKnownWords(): ReadonlySet<string> {
  knownWords ??= new Set(['true', 'false', 'null', ...collectWords(findFieldSchema(''))])
  return knownWords
}

function collectWords({
  properties = {},
  definitions = {},
  enum: values = [],
}: JsonSchema): readonly string[] {
  return [
    ...Object.keys(properties),
    ...values.map(String),
    ...[...Object.values(properties), ...Object.values(definitions)].flatMap(one =>
      one === false ? [] : collectWords(one),
    ),
  ]
}

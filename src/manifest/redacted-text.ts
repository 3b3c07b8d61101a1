import { secretFieldNames } from '../contract/cloud.js'
import { splitPointer } from '../diagnostics/pointer.js'
import { variablePattern } from '../schema/manifest/references.js'
import { findSimilar } from './did-you-mean.js'
import type { Source } from './source.js'
import { parseYaml } from './yaml-document.js'

const secretName = /(?:pass(?:word|phrase|wd)?|pwd|secret|token|answer|questionAns|credential|.key)s?$/i
/** Names of secrets that users may have misspelled. */
const secretNames = [
  'password',
  'token',
  'answer',
  'secret',
  'accessKey',
  'secretKey',
  'storageAccountKey',
  'privateKey',
]
/** A commented-out line with the value it set. */
const commentedSecret = /^(.*(?:pass|pwd|secret|token|answer|key)[\w-]*["']?\s*[:=]\s*)\S.*$/i
/** A URL with a user name, a password or a query; matches in linear time. */
const sensitiveUrl = /:\/\/(?:[^/]*@|(?:[^\s?:]|:(?!\/\/))*\?)/
const variable = new RegExp(variablePattern)

/**
 * Redacts the text of a manifest, so that lines of it can be shown: every value where a secret belongs, or under a name
 * that resembles one, is removed, because it may be a secret. Line numbers stay the same. `undefined` if the text cannot
 * be parsed as YAML, because the places of secrets are then unknown.
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

/** True if a value may be a secret. `scalar` is undefined for maps and lists, whose members are checked one by one. */
function mayBeSecret(path: readonly string[], scalar: unknown): boolean {
  if (scalar === undefined || scalar === null || scalar === '') return false
  if (typeof scalar === 'string' && sensitiveUrl.test(scalar)) return true
  const owner = path.findIndex(isSecretName)
  if (owner === -1) return false
  const field = path.slice(owner + 1).join('/')
  if (
    (typeof scalar === 'string' && /(?:^|\/)file$/.test(field)) ||
    /(?:^|\/)(?:storageAccountName|type)$/.test(field)
  )
    return false
  return !(/(?:^|\/)env$/.test(field) && variable.test(String(scalar)))
}

/** Redacts secrets in a comment. Only the beginning of the comment is checked, to limit the time, and only that is kept. */
function redactComment(line: string): string {
  const from = line.indexOf('#')
  if (from === -1) return line
  return line.slice(0, from) + line.slice(from, from + 400).replace(commentedSecret, '$1[hidden]')
}

/**
 * True for a key that may be a secret itself: inside a secret only `env` and `file` are known keys, and in `secret` the
 * names of its fields.
 */
function isSecretKey(path: readonly string[]): boolean {
  const owner = path.findIndex(segment => /(?:password|token|answer|.key)$/i.test(segment))
  const below = owner === -1 ? [] : path.slice(owner + 1)
  const part = path.includes('secret') ? path[path.indexOf('secret') + 1] : undefined
  return (
    below.some(segment => !isReferenceField(segment)) ||
    (part !== undefined && !isReferenceField(part) && findSimilar(part, secretFieldNames) === undefined)
  )
}

function isReferenceField(name: string): boolean {
  return name === 'env' || name === 'file'
}

/** Cached, because every manifest has the same few names, which are checked for each value. */
const knownNames = new Map<string, boolean>()

/** True for the name of a field whose value may be a secret. */
export function isSecretName(segment: string): boolean {
  const known = knownNames.get(segment)
  if (known !== undefined) return known
  const sounds = secretName.test(segment) || findSimilar(segment, secretNames) !== undefined
  if (knownNames.size < 1000) knownNames.set(segment, sounds)
  return sounds
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

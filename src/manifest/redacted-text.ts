import { splitPointer } from '../diagnostics/pointer.js'
import { isSecretKey, mayBeSecret } from './may-be-secret.js'
import type { Source } from './source.js'
import { parseYaml } from './yaml-document.js'

/** A commented-out line with the value it set. */
const commentedSecret = /^(.*(?:pass|pwd|secret|token|answer|key)[\w-]*["']?\s*[:=]\s*)\S.*$/i

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

/** Redacts secrets in a comment. Only the beginning of the comment is checked, to limit the time, and only that is kept. */
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

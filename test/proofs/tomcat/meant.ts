import { isAscii } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import { digestOf, type Reading, type ReceivedRequest } from './tomcat.js'

/** The expected value of a parameter: a text, a JSON value in any format, or a file and its extension. */
export type Meant = string | { readonly json: unknown } | { readonly file: Buffer; readonly ending: string }
export type MeantParameters = Readonly<Record<string, Meant>>

/** The part that names the encoding of the others. RFC 7578 §4.6. */
const charset = '_charset_'

/**
 * Lists the differences between the expected parameters and a multipart request, as `getParts` and `getParameter` return it in
 * a container that reads texts in its own encoding. JSON must be right in every encoding.
 */
export function listPartDifferences(
  request: ReceivedRequest | undefined,
  meant: MeantParameters,
  reading: Reading = 'utf8',
): readonly string[] {
  if (request === undefined) return ['nothing was received']
  const { error, type } = request
  if (error !== null) return [error]
  const isOther = ({ name }: { readonly name: string }) => name !== charset
  const parts = request.parts.filter(isOther)
  const parameters = request.parameters.filter(([name]) => name !== charset)
  const isPlain = parameters.every(([, text]) => isAscii(Buffer.from(text)))
  const texts = Object.entries(meant).filter(([, value]) => typeof value === 'string' || 'json' in value)
  return [
    ...compare('the parameters of the type', type.split(';').length, 2),
    ...compare(
      charset,
      request.parameters.filter(([name]) => name === charset),
      isPlain ? [] : [[charset, 'UTF-8']],
    ),
    ...compare('the parts', sorted(parts.map(({ name }) => name)), sorted(Object.keys(meant))),
    ...compare(
      'the parameters',
      sorted(parameters.map(([name]) => name)),
      sorted(texts.map(([name]) => name)),
    ),
    ...parts.flatMap(part => {
      const value = meant[part.name]
      if (value === undefined) return []
      if (typeof value === 'object' && 'file' in value)
        return [
          ...compare(
            `${part.name}, its bytes`,
            [part.size, part.sha256],
            [value.file.length, digestOf(value.file)],
          ),
          ...compare(`${part.name}, its type`, part.type, 'application/octet-stream'),
          ...compare(`${part.name}, the end of its name`, part.fileName?.split('.').at(-1), value.ending),
        ]
      const text = parameters.find(([name]) => name === part.name)?.[1] ?? ''
      return [
        ...compare(`${part.name}, its file`, part.fileName, null),
        // `getParts` and `getParameter` must return the same text.
        ...compare(`${part.name}, its bytes`, part.sha256, digestOf(Buffer.from(text, reading))),
        ...listTextDifferences(
          part.name,
          typeof value === 'string' ? Buffer.from(text, reading).toString() : text,
          value,
        ),
      ]
    }),
  ]
}

/** Lists the differences between the expected parameters and a form, which must be in the body. */
export function listFormDifferences(
  request: ReceivedRequest | undefined,
  meant: MeantParameters,
): readonly string[] {
  if (request === undefined) return ['nothing was received']
  const { error, query, type, parameters } = request
  if (error !== null) return [error]
  return [
    ...compare('the query', query, null),
    ...compare('the type', type.split(';')[0], 'application/x-www-form-urlencoded'),
    ...compare('the parameters', sorted(parameters.map(([name]) => name)), sorted(Object.keys(meant))),
    ...parameters.flatMap(([name, text]) => {
      const value = meant[name]
      return value === undefined ? [] : listTextDifferences(name, text, value)
    }),
  ]
}

function listTextDifferences(name: string, text: string, meant: Meant): readonly string[] {
  if (typeof meant === 'string') return compare(name, text, meant)
  return 'json' in meant ? compare(name, parse(text), meant.json) : [`${name} is no file`]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return `no JSON: ${text}`
  }
}

function compare(what: string, found: unknown, meant: unknown): readonly string[] {
  if (isDeepStrictEqual(found, meant)) return []
  return [`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(meant)}`]
}

function sorted(names: readonly string[]): readonly string[] {
  return names.toSorted()
}

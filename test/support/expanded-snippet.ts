import { parse } from 'yaml'
import { isObject, type JsonValue } from '../../src/schema/json-schema.js'

/** The text of a snippet once nobody changes its places: defaults stay, and of choices the one with this number. */
export function expandedText(text: string, choice = 0): string {
  return text
    .replaceAll(/\$\{\d+\|([^|]*)\|\}/g, (_, choices: string) => {
      const all = choices.split(',')
      return all[choice % all.length] ?? ''
    })
    .replaceAll(/\$\{\d+:([^{}]*)\}/g, '$1')
    .replaceAll(/\$\d+/g, '')
}

/** What the body of a snippet makes in a file: editors put its texts there as they are, and the file is YAML. */
export function expandedBody(body: JsonValue, choice = 0): JsonValue {
  if (typeof body === 'string') return parse(expandedText(body, choice)) as JsonValue
  if (Array.isArray(body)) return body.map((part: JsonValue) => expandedBody(part, choice))
  if (!isObject(body)) return body
  return Object.fromEntries(Object.entries(body).map(([key, part]) => [key, expandedBody(part, choice)]))
}

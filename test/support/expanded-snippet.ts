import { parse } from 'yaml'
import { isObject, type JsonValue } from '../../src/schema/json-schema.js'

/** Expands a snippet as if nobody edited it: defaults stay, and each choice takes the option with this number. */
export function expandedText(text: string, choice = 0): string {
  return text
    .replaceAll(/\$\{\d+\|([^|]*)\|\}/g, (_, choices: string) => {
      const all = choices.split(',')
      return all[choice % all.length] ?? ''
    })
    .replaceAll(/\$\{\d+:([^{}]*)\}/g, '$1')
    .replaceAll(/\$\d+/g, '')
}

/** Returns the value that the body of a snippet produces in a YAML file. Editors insert its texts unchanged. */
export function expandedBody(body: JsonValue, choice = 0): JsonValue {
  if (typeof body === 'string') return parse(expandedText(body, choice)) as JsonValue
  if (Array.isArray(body)) return body.map((part: JsonValue) => expandedBody(part, choice))
  if (!isObject(body)) return body
  return Object.fromEntries(Object.entries(body).map(([key, part]) => [key, expandedBody(part, choice)]))
}

import { isObject, type JsonValue } from '../schema/json-schema.js'
import { parseJson, toText } from './json.js'
import type { HttpAnswer } from './message.js'
import type { Redactor } from './route.js'

/** The webhooks of a service as a site lists them. Names are untrusted, redacted, and limited to as many as a person reads. */
export interface ListedWebhooks {
  readonly count: number
  readonly names: readonly string[]
}

const maxNames = 20
const maxNameCharacters = 200

/**
 * Parses the webhooks in an answer; `undefined` if it is not a list of a known shape. The record of a webhook is not shown
 * (Service §2.8): public sources report a name and an id, and both a bare list and one in `webhooks`.
 */
export function parseWebhooks({ status, bytes }: HttpAnswer, redact: Redactor): ListedWebhooks | undefined {
  const body = parseJson(bytes)
  const list = isObject(body) ? body['webhooks'] : body
  if (status !== 200 || !isList(list) || !list.every(isObject)) return undefined
  const names = list.slice(0, maxNames).map(({ name, id }) => redact(toText(name ?? id ?? null)))
  return { count: list.length, names: names.map(name => name.slice(0, maxNameCharacters)) }
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}

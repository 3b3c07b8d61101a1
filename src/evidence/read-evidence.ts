import type { Result } from '../result.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import { type Evidence, opaqueKinds, redirectTargets } from './evidence.js'
import { fromShape } from './placeholder.js'
import { maxStores, rootPath, storeResources, visitedResources } from './resources.js'
import { toShape } from './shape.js'

/** Why a file is no evidence: `at` is a JSON pointer, empty for the whole. */
export interface EvidenceDefect {
  readonly at: string
  readonly problem:
    | 'not-json'
    | 'too-large'
    | 'not-evidence'
    | 'another-format'
    | 'not-an-observation'
    | 'no-root'
    | 'a-value'
}

/** Reads a file of evidence. A body that holds a value, or describes more than any answer has, is a defect. */
export function readEvidence(text: string): Result<Evidence, EvidenceDefect> {
  const reject = (problem: EvidenceDefect['problem'], at = '') =>
    ({ ok: false, error: { at, problem } }) as const
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return reject('not-json')
  }
  if (!isObject(value) || !('formatVersion' in value)) return reject('not-evidence')
  if (value['formatVersion'] !== 1) return reject('another-format', '/formatVersion')
  const { observations, tool, probedOn } = value
  if (!Array.isArray(observations) || typeof tool !== 'string' || typeof probedOn !== 'string')
    return reject('not-evidence')
  for (const [at, one] of (observations as readonly JsonValue[]).entries()) {
    const place = `/observations/${at}`
    if (!isObject(one) || !isObservation(one)) return reject('not-an-observation', place)
    const { resource, answer } = one
    if (!isObject(answer) || answer['kind'] !== 'json') continue
    const body = answer['body'] ?? null
    const value = findValue(body, toShape(fromShape(body), String(resource)), `${place}/answer/body`)
    if (value !== undefined) return reject('a-value', value)
  }
  const evidence = value as unknown as Evidence
  if (!evidence.observations.some(({ resource }) => resource === rootPath))
    return reject('no-root', '/observations')
  return { ok: true, value: evidence }
}

function isObservation({ resource, store, signedIn, answer, milliseconds }: JsonObject): boolean {
  if (typeof signedIn !== 'boolean' || typeof milliseconds !== 'number' || !isObject(answer)) return false
  const isOfStore = storeResources.includes(String(resource))
  if (!isOfStore && resource !== rootPath && !visitedResources.includes(String(resource))) return false
  if (isOfStore !== (Number.isInteger(store) && Number(store) >= 1 && Number(store) <= maxStores))
    return false
  const { kind, status, to, body } = answer
  if (kind === 'none') return true
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599) return false
  if (kind === 'json') return body !== undefined
  if (kind === 'redirect') return (redirectTargets as readonly unknown[]).includes(to)
  return (opaqueKinds as readonly unknown[]).includes(kind)
}

/** Finds the first difference of a body from a shape. */
function findValue(body: JsonValue, shape: JsonValue, at: string): string | undefined {
  const names = (value: JsonValue) => (typeof value === 'object' && value !== null ? Object.keys(value) : [])
  if (typeof body !== 'object' || body === null || typeof shape !== 'object' || shape === null)
    return body === shape ? undefined : at
  const [own, others] = [names(body), names(shape)]
  if (Array.isArray(body) !== Array.isArray(shape) || own.length !== others.length) return at
  for (const name of own) {
    const place = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!Object.hasOwn(shape, name)) return place
    const found = findValue((body as JsonObject)[name] ?? null, (shape as JsonObject)[name] ?? null, place)
    if (found !== undefined) return found
  }
  return undefined
}

import { cloudFields, cloudServiceFields, connectionFields, wireSpellings } from '../../contract/cloud.js'
import { isObject, type Json } from '../service/json.js'

/** The replacement of a redacted text. */
export const hidden = '[hidden]'

const maxTextLength = 200
const maxNameLength = 60
const maxMembers = 40
const maxDepth = 10

const confidential = /pass|pwd|secret|token|answer|credential|connection_?str|signature|_?key_?(id)?$/i
// A placement policy has members with this name, which hold the name of a label.
const plain = new Set(['key'])
const assignment = /\b(\w*(?:key|pass|pwd|password|token|secret|sig|signature)\s*=\s*)[^\s&;,"']+/gi
const userInformation = /(\/\/)[^\s/@]+@/g
const query = /(https?:\/\/[^\s?#]+)[?#]\S*/gi

/** Redacts secrets inside a text that is not one itself, and shortens it. */
export function redactText(text: string): string {
  const start = text.slice(0, 4 * maxTextLength)
  const kept = start
    .replace(userInformation, `$1${hidden}@`)
    .replace(query, `$1?${hidden}`)
    .replace(assignment, `$1${hidden}`)
  const whole = kept.length <= maxTextLength && start.length === text.length
  return whole ? kept : `${kept.slice(0, maxTextLength)}… (${text.length} characters)`
}

/** Redacts every member of a value that is named like a secret, and shortens long parts. */
export function redactJson(value: Json, depth = 0): Json {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return '…'
  if (Array.isArray(value)) {
    const kept = value.slice(0, maxMembers).map((element: Json) => redactJson(element, depth + 1))
    return value.length > maxMembers ? [...kept, `… (${value.length} elements)`] : kept
  }
  const members = Object.entries(value)
  const kept = members
    .slice(0, maxMembers)
    .map(([name, member]): [string, Json] => [
      redactText(name).slice(0, maxNameLength),
      isConfidential(name) ? hidden : redactJson(member, depth + 1),
    ])
  return Object.fromEntries(members.length > maxMembers ? [...kept, ['…', `${members.length} fields`]] : kept)
}

/** Redacts a `cloudConfig`: keeps only the fields that the service document names and that are not secret. Service §2.5. */
export function redactCloudConfig(value: Json, depth = 0): Json {
  if (Array.isArray(value) && depth < maxDepth)
    return value.slice(0, maxMembers).map((element: Json) => redactCloudConfig(element, depth + 1))
  if (!isObject(value) || depth === maxDepth) return hidden
  return Object.fromEntries(
    Object.entries(value).map(([name, member]): [string, Json] => {
      if (name === 'secret') return [name, hidden]
      if (!cloudNames.has(name)) return ['?', hidden]
      return [name, typeof member === 'string' ? redactText(member) : redactCloudConfig(member, depth + 1)]
    }),
  )
}

/** True for a name that suggests a secret, whatever the contract says. */
export function isConfidential(name: string): boolean {
  return !plain.has(name) && confidential.test(name)
}

const cloudNames: ReadonlySet<string> = new Set([
  ...Object.keys(cloudFields),
  ...Object.keys(cloudServiceFields),
  ...Object.values(connectionFields).flatMap(fields => fields.map(({ name }) => name)),
  ...wireSpellings.filter(name => !isConfidential(name)),
])

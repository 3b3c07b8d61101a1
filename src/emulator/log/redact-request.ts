import { cloudFields, cloudServiceFields, connectionFields, wireSpellings } from '../../contract/cloud.js'
import { fields } from '../../contract/fields.js'
import { operations, webhookServiceTypes } from '../../contract/operations.js'
import { type Parameter, responseFormats } from '../../contract/parameter.js'
import type { ServedRequest } from '../emulated-site.js'
import { reportedPaths } from '../field/resources.js'
import { isObject, type Json, member, parseJson } from '../service/json.js'
import type { RequestPart, ServiceResponse } from '../service/request.js'
import type { RecordedParameter, RecordedRequest } from './request-log.js'

const maxParameters = 40
const maxValueLength = 4000
const mediaTypes = [
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json',
  'text/plain',
]

/** Redacts a request: removes everything that must not be stored. */
export function redactRequest(served: ServedRequest): Omit<RecordedRequest, 'id'> {
  const { at, site, received, delivery, fault } = served
  const { accepted, ending, response } = delivery
  const { method, target, query, body } = received.request
  const known = target.operation === 'unknown' ? [] : listParameters(target.operation)
  const all: readonly (() => RecordedParameter)[] = [
    ...query.map(part => () => redactQueryPart(part, known)),
    ...body.parts.map(part => () => redactBodyPart(part, known)),
  ]
  const problem = response && readProblem(response)
  return {
    site,
    at: Math.round(at),
    method,
    path: redactPath(received.path, site),
    operation: target.operation,
    contentType: readMediaType(received.contentType),
    parameters: all.slice(0, maxParameters).map(parameter => parameter()),
    more: Math.max(0, all.length - maxParameters),
    httpStatus: ending.kind === 'answer' ? ending.httpStatus : null,
    accepted,
    ...(fault !== undefined && { fault }),
    ...(problem !== undefined && { problem }),
  }
}

type Known = Pick<Parameter, 'name' | 'encoding' | 'secret'>

function listParameters(operation: keyof typeof operations): readonly Known[] {
  const reported = fields.filter(field => field.operation === operation && field.source === 'reported')
  return [...operations[operation].parameters, ...reported.map(({ parameter }) => parameter)]
}

function redactBodyPart(part: RequestPart, known: readonly Known[]): RecordedParameter {
  const parameter = known.find(({ name }) => name === part.name)
  const bytes = part.kind === 'file' ? part.bytes.length : Buffer.byteLength(part.text)
  // A body that is not a form parses as one parameter with the whole body as its name.
  if (parameter === undefined) return { name: '?', bytes, kind: 'hidden', why: 'unknown' }
  const { name } = parameter
  if (parameter.encoding === 'file' && part.kind === 'file') {
    const contentType = redactText(part.contentType)
    return { name, bytes, kind: 'file', fileName: redactText(part.fileName), contentType }
  }
  if (parameter.secret === true || isConfidential(name)) return { name, bytes, kind: 'hidden', why: 'secret' }
  const value = part.kind === 'file' ? undefined : redactParameterValue(part.text, parameter)
  return value === undefined
    ? { name, bytes, kind: 'hidden', why: 'malformed' }
    : { name, bytes, kind: 'value', value }
}

// Only the format belongs in a URL, because other programs log URLs.
function redactQueryPart(
  { name, text }: { name: string; text: string },
  known: readonly Known[],
): RecordedParameter {
  const bytes = Buffer.byteLength(text)
  if (!known.some(parameter => parameter.name === name))
    return { name: '?', bytes, kind: 'hidden', why: 'unknown' }
  const isFormat = name === 'f' && responseFormats.some(format => format === text)
  return isFormat
    ? { name, bytes, kind: 'value', value: text }
    : { name, bytes, kind: 'hidden', why: 'in the address' }
}

/** Redacts a value. Returns `undefined` for text that should be JSON but is not: its secrets cannot be found. */
function redactParameterValue(text: string, { name, encoding }: Known): Json | undefined {
  if (encoding !== 'json') return redactText(text)
  const value = parseJson(text)
  if (value === undefined) return undefined
  const shown = name === 'cloudConfig' ? redactCloudConfig(value) : redactJson(value)
  return JSON.stringify(shown).length > maxValueLength ? '…' : shown
}

const pathsOfOperations = new Set<string>(Object.values(operations).map(({ path }) => path))
const pathWords = new Set([...pathsOfOperations, ...reportedPaths].flatMap(path => path.split('/')))

/** Redacts a path, which may contain a token by mistake: keeps segments of operations, base paths and service names. */
function redactPath(path: string, site: string): string {
  if (pathsOfOperations.has(path)) return path
  const words = new Set([...pathWords, ...site.split('/')])
  const segments = path.slice(0, 2000).split('/').slice(0, 20)
  return segments
    .map((word, index) => (words.has(word) || isService(word, segments[index - 1]) ? word : '…'))
    .join('/')
}

function isService(word: string, before: string | undefined): boolean {
  return (
    before === 'services' && word.length <= 120 && webhookServiceTypes.some(type => word.endsWith(`.${type}`))
  )
}

function readMediaType(contentType: string): string {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return type === '' || mediaTypes.includes(type) ? type : 'other'
}

function readProblem({ body }: ServiceResponse): string | undefined {
  const message = member(body, 'error', 'message')
  if (typeof message !== 'string') return isObject(body['error'] ?? null) ? 'refused' : undefined
  return redactText(message.replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"'))
}

/** The replacement of a redacted text. */
const hidden = '[hidden]'

const maxTextLength = 200
const maxNameLength = 60
const maxMembers = 40
const maxDepth = 10

const confidential = /pass|pwd|secret|token|answer|credential|connection_?str|signature|_?key_?(id)?$/i
// Members with this name in a placement policy hold the name of a label, not a secret.
const plain = new Set(['key'])
const assignment = /\b(\w*(?:key|pass|pwd|password|token|secret|sig|signature)\s*=\s*)[^\s&;,"']+/gi
const userInformation = /(\/\/)[^\s/@]+@/g
const query = /(https?:\/\/[^\s?#]+)[?#]\S*/gi

/** Redacts secrets inside a text that is not a secret itself, and shortens it. */
function redactText(text: string): string {
  const start = text.slice(0, 4 * maxTextLength)
  const kept = start
    .replace(userInformation, `$1${hidden}@`)
    .replace(query, `$1?${hidden}`)
    .replace(assignment, `$1${hidden}`)
  const whole = kept.length <= maxTextLength && start.length === text.length
  return whole ? kept : `${kept.slice(0, maxTextLength)}… (${text.length} characters)`
}

/** Redacts every member of a value that is named like a secret, and shortens long parts. */
function redactJson(value: Json, depth = 0): Json {
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
function redactCloudConfig(value: Json, depth = 0): Json {
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

/** True for a name that suggests a secret, even if the contract does not list it. */
function isConfidential(name: string): boolean {
  return !plain.has(name) && confidential.test(name)
}

const cloudNames: ReadonlySet<string> = new Set([
  ...Object.keys(cloudFields),
  ...Object.keys(cloudServiceFields),
  ...Object.values(connectionFields).flatMap(fields => fields.map(({ name }) => name)),
  ...wireSpellings.filter(name => !isConfidential(name)),
])

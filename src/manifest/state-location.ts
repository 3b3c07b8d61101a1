import type { Result } from '../result.js'
import { variablePattern } from '../schema/fields.js'
import { type AzureLocation, formatAzureLocation, parseAzureLocation } from './azure-location.js'
import { findPathProblem } from './references.js'
import { formatS3Location, parseS3Location, type S3Location } from './s3-location.js'

/** The location of the state of a site, in the notation of `spec.state` and `--state`. */
export type StateLocation =
  /** A folder; a relative one is relative to the file that names it. */
  | { readonly kind: 'file'; readonly folder: string }
  /** A git remote: its name in the clone, an address, or a path that begins with a dot or slash. */
  | { readonly kind: 'git'; readonly remote: string }
  /** A reference to the PostgreSQL connection string. */
  | { readonly kind: 'postgres'; readonly reference: string }
  | S3Location
  | AzureLocation
  /** A namespace of a cluster: of a kubeconfig context, or of the cluster of the pod. */
  | KubernetesLocation

/** A namespace of a Kubernetes cluster. */
export interface KubernetesLocation {
  readonly kind: 'kubernetes'
  /** Absent for the cluster of the pod. */
  readonly context?: string
  readonly namespace: string
}

type ParsedLocation = Result<StateLocation, string>

/** The placeholder for `metadata.name` in `spec.state`, so that a base can declare the state of all sites that extend it. */
const namePlaceholder = '{name}'

interface NotationRow<L extends StateLocation> {
  /** For messages. */
  readonly notation: string
  /** Parses the part after the colon, or returns the problem with it. */
  parse(rest: string): Result<L, string>
  format(location: L): string
}

type NotationTable = {
  readonly [K in StateLocation['kind']]: NotationRow<Extract<StateLocation, { readonly kind: K }>>
}

const notations: NotationTable = {
  file: {
    notation: 'file:DIR',
    parse: folder =>
      unless(folder === '' || /\p{Cc}/u.test(folder) ? 'names no folder' : undefined, {
        kind: 'file',
        folder,
      }),
    format: ({ folder }) => folder,
  },
  git: {
    notation: 'git:REMOTE, a remote of the clone such as git:origin',
    parse: remote => unless(findRemoteProblem(remote), { kind: 'git', remote }),
    format: ({ remote }) => remote,
  },
  s3: { notation: 's3:BUCKET/PREFIX', parse: parseS3Location, format: formatS3Location },
  azblob: {
    notation: 'azblob:ACCOUNT/CONTAINER/PREFIX',
    parse: parseAzureLocation,
    format: formatAzureLocation,
  },
  kubernetes: {
    notation: 'kubernetes:CONTEXT/NAMESPACE, or kubernetes:NAMESPACE in a pod of the cluster',
    parse: parseKubernetesLocation,
    format: ({ context, namespace }) => (context === undefined ? namespace : `${context}/${namespace}`),
  },
  postgres: {
    notation: 'postgres:env:NAME or postgres:file:PATH',
    parse: reference => unless(findReferenceProblem(reference), { kind: 'postgres', reference }),
    format: ({ reference }) => reference,
  },
}

/** Reads one of the notations. */
export function parseStateLocation(text: string): ParsedLocation {
  const [, kind = '', rest = ''] = /^(\w+):(.*)$/s.exec(text) ?? []
  if (isKind(kind) && (kind === 'postgres' || !rest.startsWith('//'))) return notations[kind].parse(rest)
  return { ok: false, error: 'is not a state location' }
}

/** Patterns that recognize the intended kind of an invalid location. */
const spellings: readonly (readonly [form: RegExp, kind: StateLocation['kind']])[] = [
  [/^s3:/i, 's3'],
  [/^(?:az(?:ure)?(?:blob|rm)?|wasbs?|abfss?):|^https:\/\/[a-z0-9]+\.blob\./i, 'azblob'],
  [/^(?:kubernetes|k8s):/i, 'kubernetes'],
  [/^postgres(?:ql)?:/i, 'postgres'],
  [/^file:|^[.~]{0,2}[\\/]|^[A-Za-z]:\\/i, 'file'],
  [/^(?:git(?:\+\w+)?|https?|ssh):|\.git\/?$|^[\w.-]+@[\w.-]+:|^\w[\w.-]*$/i, 'git'],
]

/** Suggests the location that an invalid text most likely stands for, or the notation of the kind that it resembles. */
export function suggestLocation(text: string): string {
  const kind = spellings.find(([form]) => form.test(text))?.[1]
  if (kind === undefined) return `use ${stateNotation}`
  const rest = text.replace(/^\w{2,}:(?:\/\/(?=[^/]))?/, '')
  const meant = `${kind}:${rest}`
  // A connection string, or an address with a user, may contain a secret.
  const isPlain = kind !== 'postgres' && meant !== text && !/[@?]/.test(text)
  return isPlain && parseDeclaredLocation(meant).ok ? `write \`${meant}\`` : `use ${notations[kind].notation}`
}

/** Formats a location in its notation. */
export function formatLocation(location: StateLocation): string {
  const { kind } = location
  // Each row formats only locations of its own kind; the compiler cannot infer this from a table.
  return `${kind}:${(notations[kind] as NotationRow<StateLocation>).format(location)}`
}

/** The notations of a location, for messages. */
export const stateNotation = Object.values(notations)
  .map(({ notation }) => notation)
  .join(', ')

function unless<L>(problem: string | undefined, value: L): Result<L, string> {
  return problem === undefined ? { ok: true, value } : { ok: false, error: problem }
}

function isKind(kind: string): kind is StateLocation['kind'] {
  return Object.hasOwn(notations, kind)
}

/** Names a text in a message. A URL or a reference may contain a password, so it is not quoted. */
export function describeLocation(text: string): string {
  if (text.startsWith('postgres')) return 'the PostgreSQL location'
  if (text.startsWith('s3:') && /[@?]/.test(text)) return 'the S3 location'
  if (text.startsWith('azblob:') && /[@?]/.test(text)) return 'the Azure location'
  return text.includes('@') && !text.startsWith('kubernetes:')
    ? 'the git remote'
    : `\`${redactAddress(text)}\``
}

/**
 * Redacts an address, or the addresses in a text: the user information, which may contain slashes, and everything after
 * the path.
 */
export function redactAddress(text: string): string {
  const users: string[] = []
  const words = text.split(/(\s)/).map(word => {
    const [from, to] = [word.indexOf('://') + 3, word.lastIndexOf('@')]
    if (from < 3) return word
    if (to >= from) users.push(...word.slice(from, to).split('/').slice(0, -1))
    const path = word.slice(Math.max(from, to + 1))
    const end = path.search(/[?#]/)
    const shown = end < 0 ? path : `${path.slice(0, end)}?***`
    return `${word.slice(0, from)}${to < from ? '' : '***@'}${shown}`
  })
  // Git treats the part before the first slash as the host, and repeats it in messages.
  return users
    .filter(user => user.length > 3)
    .reduce((line, user) => line.replaceAll(user, '***'), words.join(''))
}

/** Inserts the name of the site into the text of `spec.state`. */
export function insertName(text: string, name: string): string {
  return text.replaceAll(namePlaceholder, name)
}

/**
 * Parses `spec.state`, or the location that a pointer names. Both may come from an unknown author, so they may name
 * only a remote of the clone or a variable. A URL or a file could make git and the PostgreSQL driver send credentials
 * of the environment to another server, and a path could run hooks.
 */
export function parseDeclaredLocation(text: string): ParsedLocation {
  const parsed = parseStateLocation(text)
  const problem = parsed.ok ? findForeignPlace(parsed.value) : undefined
  return problem === undefined ? parsed : { ok: false, error: `${problem}, or pass \`--state\`` }
}

function findForeignPlace(location: StateLocation): string | undefined {
  if (location.kind === 'git' && !/^\w[\w.-]*$/.test(location.remote))
    return 'is a URL or a path: name a remote of the clone, such as `git:origin`'
  return location.kind === 'postgres' && location.reference.startsWith('file:')
    ? 'is a file, which would choose the server: name a variable, such as `postgres:env:LANDFORM_DATABASE_URL`'
    : undefined
}

/** Describes why a text cannot name a git remote. */
function findRemoteProblem(remote: string): string | undefined {
  if (remote === '') return 'names no remote'
  if (remote.startsWith('-')) return 'names a remote that begins with a dash'
  if (/^[\w+-]+::/.test(remote)) return 'names a program to run'
  if (/[\p{Cc}\p{Cf}]/u.test(remote)) return 'contains control characters'
  if (/\/\/[^\s/@:]*:[^\s/]*@|^(?!(?:git\+)?ssh:|ssh\+git:)[\w+-]+:\/\/.*[@?#]/i.test(remote))
    return 'contains a user, a password or a query, which may be a secret; use a git credential helper instead'
  return undefined
}

/** Parses `CONTEXT/NAMESPACE` or `NAMESPACE`. A context name may contain slashes, as an ARN does. */
function parseKubernetesLocation(text: string): Result<KubernetesLocation, string> {
  const [, context, namespace = ''] = /^(?:(.*)\/)?([^/]*)$/s.exec(text) ?? []
  const problem = findNamespaceProblem(namespace) ?? findContextProblem(context)
  return unless(problem, { kind: 'kubernetes', ...(context !== undefined && { context }), namespace })
}

function findNamespaceProblem(namespace: string): string | undefined {
  return /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(namespace)
    ? undefined
    : 'names no valid namespace: at most 63 lower-case letters, digits and hyphens'
}

function findContextProblem(context: string | undefined): string | undefined {
  if (context === '') return 'names no context'
  return /[\p{Cc}\p{Cf}]/u.test(context ?? '') ? 'names a context with control characters' : undefined
}

/** Describes why a text is not a reference to a connection string. It may be the string itself, so it is not quoted. */
function findReferenceProblem(reference: string): string | undefined {
  const [, kind, where = ''] = /^(env|file):(.+)$/s.exec(reference) ?? []
  if (kind === 'env')
    return new RegExp(variablePattern).test(where)
      ? undefined
      : 'names an environment variable that does not begin with LANDFORM_'
  if (kind === undefined)
    return 'must refer to the connection string with env:LANDFORM_… or file:PATH, not contain it'
  const problem = where.split('/').includes('..') ? 'leaves its folder' : findPathProblem(where)
  return problem === undefined ? undefined : `names a file whose path ${problem}`
}

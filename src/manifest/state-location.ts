import type { Result } from '../result.js'
import { variablePattern } from '../schema/fields.js'
import { findPathProblem } from './references.js'
import { formatS3Location, parseS3Location, type S3Location } from './s3-location.js'

/** The location of the state of a site, as `spec.state` and `--state` give it. */
export type StateLocation =
  /** A folder; a relative one is relative to the file that names it. */
  | { readonly kind: 'file'; readonly folder: string }
  /** A git remote: its name in the clone, an address, or a path that begins with a dot or slash. */
  | { readonly kind: 'git'; readonly remote: string }
  /** A reference to the PostgreSQL connection string. */
  | { readonly kind: 'postgres'; readonly reference: string }
  | S3Location
  /** A namespace of a Kubernetes cluster, which the environment names. */
  | { readonly kind: 'kubernetes'; readonly namespace: string }

export type ParsedLocation = Result<StateLocation, string>

/** The placeholder for `metadata.name` in `spec.state`, so that a base can declare the state of all sites that extend it. */
const namePlaceholder = '{name}'

/** Reads the notation `file:DIR`, `git:REMOTE`, `postgres:env:NAME`, `postgres:file:PATH`, `s3:BUCKET/PREFIX` or `kubernetes:NAMESPACE`. */
export function parseStateLocation(text: string): ParsedLocation {
  const [, kind, rest = ''] = /^(file|git|postgres|s3|kubernetes):(.*)$/s.exec(text) ?? []
  if (kind === 'file') {
    if (rest === '' || /\p{Cc}/u.test(rest)) return { ok: false, error: 'names no folder' }
    return { ok: true, value: { kind, folder: rest } }
  }
  if (kind === 'git') {
    const problem = findRemoteProblem(rest)
    return problem === undefined ? { ok: true, value: { kind, remote: rest } } : { ok: false, error: problem }
  }
  if (kind === 'postgres') {
    const problem = findReferenceProblem(rest)
    return problem === undefined
      ? { ok: true, value: { kind, reference: rest } }
      : { ok: false, error: problem }
  }
  if (kind === 's3') return parseS3Location(rest)
  if (kind === 'kubernetes') {
    if (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(rest))
      return { ok: true, value: { kind, namespace: rest } }
    return { ok: false, error: 'names no valid namespace: at most 63 lower-case letters, digits and hyphens' }
  }
  return { ok: false, error: `is not a state location; use ${stateNotation}` }
}

/** Formats a location in its notation. */
export function formatLocation(location: StateLocation): string {
  switch (location.kind) {
    case 'file':
      return `file:${location.folder}`
    case 'git':
      return `git:${location.remote}`
    case 'postgres':
      return `postgres:${location.reference}`
    case 's3':
      return formatS3Location(location)
    case 'kubernetes':
      return `kubernetes:${location.namespace}`
  }
}

/** The notations of a location, for messages. */
export const stateNotation =
  'file:DIR, git:REMOTE such as git:origin, s3:BUCKET/PREFIX, kubernetes:NAMESPACE, postgres:env:NAME or postgres:file:PATH'

/** Names a text in a message. A URL or a reference may contain a password, so it is not quoted. */
export function describeLocation(text: string): string {
  if (text.startsWith('postgres')) return 'the PostgreSQL location'
  if (text.startsWith('s3:') && /[@?]/.test(text)) return 'the S3 location'
  return text.includes('@') ? 'the git remote' : `\`${text}\``
}

/** Inserts the name of the site into the text of `spec.state`. */
export function insertName(text: string, name: string): string {
  return text.replaceAll(namePlaceholder, name)
}

/**
 * Parses `spec.state`. A manifest may come from an unknown author, so it can only name a remote of the clone: a URL would
 * decide where git connects to, and a path which hooks run.
 */
export function parseDeclaredLocation(text: string, name: string): ParsedLocation {
  const parsed = parseStateLocation(insertName(text, name))
  if (!parsed.ok || parsed.value.kind !== 'git' || /^\w[\w.-]*$/.test(parsed.value.remote)) return parsed
  return {
    ok: false,
    error: 'is a URL or a path; a manifest must name a remote of the clone, such as `git:origin`',
  }
}

/** Describes why a text cannot name a git remote. */
function findRemoteProblem(remote: string): string | undefined {
  if (remote === '') return 'names no remote'
  if (remote.startsWith('-')) return 'names a remote that begins with a dash'
  if (/^[\w+-]+::/.test(remote)) return 'names a program to run'
  if (/[\p{Cc}\p{Cf}]/u.test(remote)) return 'contains control characters'
  if (/\/\/[^\s/@:]*:[^\s/@]*@/.test(remote))
    return 'contains a password; use a git credential helper instead'
  return undefined
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

import type { Result } from '../result.js'
import { isLoopback } from './site-url.js'

/** A bucket of object storage, and the place of the state in it. */
export interface S3Location {
  readonly kind: 's3'
  readonly bucket: string
  /** Segments separated by slashes; empty for the whole bucket. */
  readonly prefix: string
  /** Absent if the environment names it. */
  readonly region?: string
  /** The origin of a server that is not AWS. Signed requests are sent to it only if the environment names it too. */
  readonly endpoint?: string
}

/** Parses `BUCKET/PREFIX?region=…&endpoint=…`. Each part has one spelling, so a location has one name. */
export function parseS3Location(text: string): Result<S3Location, string> {
  const [, bucket = '', prefix, query] = /^([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(text) ?? []
  const problem = findBucketProblem(bucket) ?? findPrefixProblem(prefix)
  if (problem !== undefined) return { ok: false, error: problem }
  const options = parseOptions(query, { region: findRegionProblem, endpoint: findEndpointProblem })
  if (!options.ok) return options
  const { region, endpoint } = options.value
  if (endpoint === undefined && region !== undefined && !isAwsRegion(region))
    return { ok: false, error: noRegion }
  return {
    ok: true,
    value: {
      kind: 's3',
      bucket,
      prefix: prefix ?? '',
      ...(region !== undefined && { region }),
      ...(endpoint !== undefined && { endpoint: new URL(endpoint).origin }),
    },
  }
}

/** Formats the part after `s3:`, always in the same order. */
export function formatS3Location({ bucket, prefix, region, endpoint }: S3Location): string {
  const options = Object.entries({ region, endpoint }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  )
  const path = prefix === '' ? bucket : `${bucket}/${prefix}`
  return [path, options.join('&')].filter(Boolean).join('?')
}

/** True for a name in the form of an AWS region. It becomes part of a host name, so other text could name another host. */
export function isAwsRegion(region: string): boolean {
  return /^[a-z]{2,4}(?:-[a-z]{2,20}){1,2}-\d{1,2}$/.test(region)
}

const noRegion = 'names no valid region, such as `region=eu-central-1`'

function findBucketProblem(bucket: string): string | undefined {
  if (bucket === '') return 'names no bucket'
  return /^[a-z0-9](?:[a-z0-9-]|\.(?=[a-z0-9])){1,61}[a-z0-9]$/.test(bucket)
    ? undefined
    : 'names no valid bucket: 3 to 63 lower-case letters, digits, hyphens and dots'
}

/** Parses the parameters of a location in object storage, each of which occurs once. */
export function parseOptions<N extends string>(
  query: string | undefined,
  problems: Readonly<Record<N, (value: string) => string | undefined>>,
): Result<Readonly<Partial<Record<N, string>>>, string> {
  const options = new Map<string, string>()
  for (const part of query?.split('&') ?? []) {
    const [, name = '', value = ''] = /^([^=]*)(?:=(.*))?$/s.exec(part) ?? []
    const names = Object.keys(problems).map(one => `\`${one}\``)
    const findProblem = Object.hasOwn(problems, name) ? problems[name as N] : undefined
    const wrong = options.has(name)
      ? `names \`${name}\` twice`
      : findProblem === undefined
        ? `has a parameter other than ${names.join(' and ')}`
        : findProblem(value)
    if (wrong !== undefined) return { ok: false, error: wrong }
    options.set(name, value)
  }
  return { ok: true, value: Object.fromEntries(options) as Partial<Record<N, string>> }
}

/** Describes why a text cannot be the prefix of objects. */
export function findPrefixProblem(prefix: string | undefined): string | undefined {
  if (prefix === undefined) return undefined
  const isValid = prefix.split('/').every(segment => /^(?!\.{1,2}$)[\w.-]+$/.test(segment))
  return isValid && prefix.length <= 500
    ? undefined
    : 'has an invalid prefix: segments of letters, digits, `.`, `_` and `-`, separated by single slashes'
}

function findRegionProblem(region: string): string | undefined {
  return /^[a-z0-9-]+$/.test(region) ? undefined : noRegion
}

/** Describes why a text is not the origin of a server. */
export function findEndpointProblem(value: string): string | undefined {
  if (!URL.canParse(value)) return 'has an endpoint that is not a URL'
  const { protocol, hostname, username, password, origin } = new URL(value)
  if (username !== '' || password !== '')
    return 'has an endpoint with a user name or password; credentials come from the environment'
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname)))
    return 'has an endpoint without https; http is allowed only on this machine'
  return value.replace(/\/$/, '') === origin
    ? undefined
    : 'has an endpoint with more than a scheme, a lower-case host and a port'
}

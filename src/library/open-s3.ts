import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Location } from '../manifest/s3-location.js'
import { findSiteUrlProblem } from '../manifest/site-url.js'
import { formatLocation } from '../manifest/state-location.js'
import type { Result } from '../result.js'
import { objectBackend } from '../state/object-backend.js'
import { parseS3Code, runHeader, type S3Answer, type S3Request, s3Store } from '../state/s3-store.js'
import type { StateBackend } from '../state/series.js'
import type { S3Cause, S3Reason } from '../state/state-failure.js'
import { classifyStoreFailure, findStoreRoute, sendToStore } from './reach-store.js'
import { readLimited } from './read-files.js'
import { systemClock } from './system-ports.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Opens state in a bucket, with the credentials of the environment. Nothing is sent until it is used. */
export function openS3(location: S3Location, environment: Environment): StateBackend {
  const region = location.region || environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'] || ''
  const base = baseUrl(location, region)
  const tokenService = environment['AWS_ENDPOINT_URL_STS'] ?? `https://sts.${region}.${domain(region)}`
  const findCredentials = awsCredentials({
    environment,
    now: systemClock.now,
    requestToken: form => requestToken(tokenService, form, environment),
  })
  const send = async (request: S3Request): Promise<Result<S3Answer, S3Reason>> => {
    if (!/^[a-z0-9-]+$/.test(region)) return failed('no-region')
    const credentials = await findCredentials()
    if (!credentials.ok) return credentials
    const route = findStoreRoute(base, environment)
    if (route === undefined) return failed('proxy-unusable')
    const { method, body } = request
    const { url, headers } = await sign(request, { base, region, credentials: credentials.value })
    const reply = await sendToStore(
      {
        method,
        url: url.origin,
        path: `${url.pathname}${url.search}`,
        headers,
        answerHeader: runHeader,
        ...(body !== undefined && { body: { contentType: 'application/json', bytes: body } }),
      },
      route,
    )
    if (!reply.ok) return { ok: false, error: { kind: 's3', ...classifyStoreFailure(reply.error) } }
    const { status, bytes, header: run } = reply.value
    return { ok: true, value: { status, bytes, ...(run !== undefined && { run }) } }
  }
  const pause = (milliseconds: number) => systemClock.sleep(milliseconds, new AbortController().signal)
  return objectBackend(formatLocation(location), s3Store(location.prefix, send), pause)
}

/** Puts the bucket into the host name at AWS, and into the path elsewhere or if its dots would not fit the certificate. */
function baseUrl({ bucket, endpoint }: S3Location, region: string): string {
  if (endpoint !== undefined) return `${endpoint}/${bucket}`
  const host = `s3.${region}.${domain(region)}`
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}

function domain(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
}

interface Signing {
  readonly base: string
  readonly region: string
  readonly credentials: AwsCredentials
}

async function sign(
  { method, key, query = {}, headers = {}, body }: S3Request,
  { base, region, credentials }: Signing,
) {
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const address = `${base}${key === '' && new URL(base).pathname !== '/' ? '' : `/${key}`}`
  const signer = new AwsV4Signer({
    method,
    url: [address, parameters.join('&')].filter(Boolean).join('?'),
    headers: {
      ...headers,
      'x-amz-content-sha256': createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
    },
    service: 's3',
    region,
    ...credentials,
  })
  const signed = await signer.sign()
  const length = body === undefined ? {} : { 'content-length': `${body.byteLength}` }
  return { url: signed.url, headers: { ...Object.fromEntries(signed.headers), ...length } }
}

async function requestToken(
  url: string,
  form: string,
  environment: Environment,
): Promise<Result<Pick<S3Answer, 'status' | 'bytes'>, S3Reason>> {
  // The token is a secret of this workload, so it is sent over TLS only.
  if (findSiteUrlProblem(url) !== undefined) return failed('role-denied', 'AWS_ENDPOINT_URL_STS')
  const route = findStoreRoute(url, environment)
  if (route === undefined) return failed('proxy-unusable')
  const bytes = Buffer.from(form)
  const contentType = 'application/x-www-form-urlencoded'
  const headers = { 'content-type': contentType, 'content-length': `${bytes.byteLength}` }
  const request = { method: 'POST', url, path: '/', headers, body: { contentType, bytes } } as const
  const reply = await sendToStore(request, route)
  return reply.ok ? reply : { ok: false, error: { kind: 's3', ...classifyStoreFailure(reply.error) } }
}

/** The credentials that sign a request. */
interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

type CredentialsReply = Result<AwsCredentials, S3Reason>

interface CredentialsOptions {
  readonly environment: Environment
  now(): number
  /** Sends a form to the token service of AWS. */
  requestToken(form: string): Promise<Result<Pick<S3Answer, 'status' | 'bytes'>, S3Reason>>
}

/** Credentials are renewed this long before they expire, because clocks differ. */
const renewBeforeMs = 120_000
/** Far more than a web identity token. */
const maxTokenBytes = 64 * 1024

/**
 * Provides the credentials of the environment: an access key, or those that the token service grants a role for a web
 * identity token, as in clusters and CI systems. Granted ones are kept until shortly before they expire.
 */
function awsCredentials({
  environment,
  now,
  requestToken,
}: CredentialsOptions): () => Promise<CredentialsReply> {
  const set = (name: string) => environment[name]?.trim() || undefined
  let granted: { readonly credentials: AwsCredentials; readonly expiresAtMs: number } | undefined

  const assumeRole = async (file: string, role: string): Promise<CredentialsReply> => {
    const read = readLimited(file, { maxBytes: maxTokenBytes })
    if (!read.ok) return failed('no-token-file')
    const token = read.value.toString('utf8')
    const form = new URLSearchParams({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: role,
      RoleSessionName: set('AWS_ROLE_SESSION_NAME') ?? 'landform',
      WebIdentityToken: token.trim(),
    })
    const answer = await requestToken(form.toString())
    if (!answer.ok) return answer
    const { status, bytes } = answer.value
    if (status >= 500 || status === 429) return failed('busy', `token service: HTTP ${status}`)
    if (status !== 200) return failed('role-denied', parseS3Code(bytes) ?? `HTTP ${status}`)
    granted = parseGrant(bytes.toString('utf8'))
    return granted === undefined ? failed('role-denied') : { ok: true, value: granted.credentials }
  }

  return async () => {
    const [accessKeyId, secretAccessKey] = [set('AWS_ACCESS_KEY_ID'), set('AWS_SECRET_ACCESS_KEY')]
    const sessionToken = set('AWS_SESSION_TOKEN')
    if (accessKeyId !== undefined && secretAccessKey !== undefined)
      return { ok: true, value: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } }
    const [file, role] = [set('AWS_WEB_IDENTITY_TOKEN_FILE'), set('AWS_ROLE_ARN')]
    if (file === undefined || role === undefined) return failed('no-credentials')
    if (granted !== undefined && now() < granted.expiresAtMs - renewBeforeMs)
      return { ok: true, value: granted.credentials }
    return assumeRole(file, role)
  }
}

function parseGrant(xml: string) {
  const field = (name: string) => new RegExp(`<${name}>\\s*([^<\\s]+)\\s*</${name}>`).exec(xml)?.[1]
  const [accessKeyId, secretAccessKey] = [field('AccessKeyId'), field('SecretAccessKey')]
  const sessionToken = field('SessionToken')
  if (accessKeyId === undefined || secretAccessKey === undefined || sessionToken === undefined)
    return undefined
  const expiresAtMs = Date.parse(field('Expiration') ?? '')
  return { credentials: { accessKeyId, secretAccessKey, sessionToken }, expiresAtMs: expiresAtMs || 0 }
}

function failed(cause: S3Cause, said?: string): Result<never, S3Reason> {
  return { ok: false, error: { kind: 's3', cause, ...(said !== undefined && { said }) } }
}

import { findSiteUrlProblem } from '../manifest/site-url.js'
import type { Result } from '../result.js'
import { parseErrorCode, type StorageAnswer } from '../state/folder-store.js'
import { failS3 } from '../state/s3-store.js'
import type { S3Reason } from '../state/state-failure.js'
import { readAwsProfile } from './aws-profile.js'
import { describeProgramDefect, runCredentialProgram } from './credential-program.js'
import { askNearby, classifyStoreFailure, findStoreRoute, sendToStore } from './reach-store.js'
import { readLimited } from './read-files.js'
import { type Fields, parseFields } from './unchecked-fields.js'

type Environment = Readonly<Record<string, string | undefined>>

/** The credentials that sign a request. */
export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

type CredentialsReply = Result<AwsCredentials, S3Reason>

interface GrantedCredentials {
  readonly credentials: AwsCredentials
  readonly expiresAtMs: number
}

interface CredentialsOptions {
  readonly environment: Environment
  /** Address of the STS endpoint, which exchanges a web identity token for the credentials of a role. */
  readonly tokenService: string
  now(): number
}

/** Credentials are renewed this long before they expire, because clocks differ. */
const renewBeforeMs = 120_000
/** Far larger than a web identity token. */
const maxTokenBytes = 64 * 1024

/**
 * One source of credentials. Resolves with `undefined` if the environment does not name it; then the next source is
 * tried. Expired credentials are requested again.
 */
type Source = (options: CredentialsOptions) => Promise<Result<GrantedCredentials, S3Reason> | undefined>

/** In the order of the AWS tools; `report/state-reasons.ts` names them. */
const sources: readonly Source[] = [readVariables, assumeRole, readProfile, askContainer]

/** Provides credentials from the first source that the environment names, and keeps them until shortly before they expire. */
export function createAwsCredentials(options: CredentialsOptions): () => Promise<CredentialsReply> {
  let granted: GrantedCredentials | undefined
  return async () => {
    if (granted !== undefined && options.now() < granted.expiresAtMs - renewBeforeMs)
      return { ok: true, value: granted.credentials }
    for (const source of sources) {
      const reply = await source(options)
      if (reply === undefined) continue
      if (!reply.ok) return reply
      granted = reply.value
      return { ok: true, value: granted.credentials }
    }
    return failS3('no-credentials')
  }
}

function read(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined
}

async function readVariables({ environment }: CredentialsOptions): ReturnType<Source> {
  const [accessKeyId, secretAccessKey] = [
    read(environment, 'AWS_ACCESS_KEY_ID'),
    read(environment, 'AWS_SECRET_ACCESS_KEY'),
  ]
  const sessionToken = read(environment, 'AWS_SESSION_TOKEN')
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return grantLasting({ accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) })
}

/** Keys that are not cached: variables and files are read again for each request. */
function grantLasting(credentials: AwsCredentials): Result<GrantedCredentials, never> {
  return { ok: true, value: { credentials, expiresAtMs: 0 } }
}

/** Exchanges a web identity token for the credentials of a role, as in clusters and CI systems. */
async function assumeRole({ environment, tokenService }: CredentialsOptions): ReturnType<Source> {
  const [file, role] = [read(environment, 'AWS_WEB_IDENTITY_TOKEN_FILE'), read(environment, 'AWS_ROLE_ARN')]
  if (file === undefined || role === undefined) return undefined
  const token = readLimited(file, { maxBytes: maxTokenBytes })
  if (!token.ok) return failS3('no-token-file')
  const form = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: read(environment, 'AWS_ROLE_SESSION_NAME') ?? 'landform',
    WebIdentityToken: token.value.toString('utf8').trim(),
  })
  const answer = await requestToken(tokenService, form.toString(), environment)
  if (!answer.ok) return answer
  const { status, bytes } = answer.value
  if (status >= 500 || status === 429) return failS3('busy', `token service: HTTP ${status}`)
  if (status !== 200) return failS3('role-denied', parseErrorCode(bytes) ?? `HTTP ${status}`)
  const granted = parseGrant(bytes.toString('utf8'))
  return granted === undefined ? failS3('role-denied') : { ok: true, value: granted }
}

/**
 * Reads the keys of a profile. For a role, SSO or a credential process, runs the user's `aws`, which supports all of
 * them and keeps their caches.
 */
async function readProfile({ environment }: CredentialsOptions): ReturnType<Source> {
  const { name, accessKeyId, secretAccessKey, sessionToken, isIndirect } = readAwsProfile(environment)
  if (!isIndirect && accessKeyId !== undefined && secretAccessKey !== undefined)
    return grantLasting({ accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) })
  const isNamed = read(environment, 'AWS_PROFILE') !== undefined
  if (!isIndirect && !isNamed) return undefined
  const args = ['configure', 'export-credentials', '--format', 'process', '--profile', name]
  const printed = await runCredentialProgram({ program: 'aws', args, environment })
  if (!printed.ok) return failS3('no-profile-credentials', `${name}: ${describeProgramDefect(printed.error)}`)
  return parseKeys(printed.value, 'SessionToken') ?? failS3('no-profile-credentials', `${name}: no-keys`)
}

/** Requests credentials from the endpoint of a container or a pod identity, on this machine or over TLS. */
async function askContainer({ environment }: CredentialsOptions): ReturnType<Source> {
  const relative = read(environment, 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI')
  const address =
    read(environment, 'AWS_CONTAINER_CREDENTIALS_FULL_URI') ?? (relative && `http://169.254.170.2${relative}`)
  if (address === undefined) return undefined
  const file = read(environment, 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE')
  const token = file === undefined ? undefined : readLimited(file, { maxBytes: maxTokenBytes })
  if (token?.ok === false) return failS3('no-token-file')
  const authorization =
    token?.value.toString('utf8').trim() ?? read(environment, 'AWS_CONTAINER_AUTHORIZATION_TOKEN')
  const answer = await askNearby(address, authorization === undefined ? {} : { authorization })
  if (!answer.ok) return failS3('no-container-credentials', answer.error)
  const { status, text } = answer.value
  if (status !== 200) return failS3('no-container-credentials', `HTTP ${status}`)
  const keys = parseFields(text)
  return (keys && parseKeys(keys, 'Token')) ?? failS3('no-container-credentials', 'no-keys')
}

function parseKeys(
  keys: Fields,
  tokenName: 'SessionToken' | 'Token',
): Result<GrantedCredentials, never> | undefined {
  const { AccessKeyId, SecretAccessKey, Expiration } = keys
  const sessionToken = keys[tokenName]
  if (typeof AccessKeyId !== 'string' || typeof SecretAccessKey !== 'string') return undefined
  const credentials = {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    ...(typeof sessionToken === 'string' && { sessionToken }),
  }
  const expiresAtMs = typeof Expiration === 'string' ? Date.parse(Expiration) : Number.POSITIVE_INFINITY
  return { ok: true, value: { credentials, expiresAtMs: expiresAtMs || 0 } }
}

async function requestToken(
  url: string,
  form: string,
  environment: Environment,
): Promise<Result<StorageAnswer, S3Reason>> {
  // The web identity token is a secret, so it is sent over TLS only.
  if (findSiteUrlProblem(url) !== undefined) return failS3('role-denied', 'AWS_ENDPOINT_URL_STS')
  const route = findStoreRoute(url, environment)
  if (!route.ok) return failS3('proxy-unusable', route.error)
  const bytes = Buffer.from(form)
  const contentType = 'application/x-www-form-urlencoded'
  const headers = { 'content-type': contentType, 'content-length': `${bytes.byteLength}` }
  const request = { method: 'POST', url, path: '/', headers, body: { contentType, bytes } } as const
  const reply = await sendToStore(request, route.value)
  return reply.ok ? reply : { ok: false, error: { kind: 's3', ...classifyStoreFailure(reply.error) } }
}

function parseGrant(xml: string): GrantedCredentials | undefined {
  const field = (name: string) => new RegExp(`<${name}>\\s*([^<\\s]+)\\s*</${name}>`).exec(xml)?.[1]
  const [accessKeyId, secretAccessKey] = [field('AccessKeyId'), field('SecretAccessKey')]
  const sessionToken = field('SessionToken')
  if (accessKeyId === undefined || secretAccessKey === undefined || sessionToken === undefined)
    return undefined
  const expiresAtMs = Date.parse(field('Expiration') ?? '')
  return { credentials: { accessKeyId, secretAccessKey, sessionToken }, expiresAtMs: expiresAtMs || 0 }
}

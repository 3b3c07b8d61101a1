import { readFile } from 'node:fs/promises'
import type { Result } from '../result.js'
import { parseS3Code, type S3Answer } from '../state/s3-answer.js'
import type { S3Cause, S3Reason } from '../state/state-failure.js'

/** The credentials that sign a request. */
export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export type CredentialsReply = Result<AwsCredentials, S3Reason>

/** What obtaining credentials needs. */
export interface CredentialsOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  now(): number
  /** Sends a form to the token service of AWS. */
  requestToken(form: string): Promise<Result<Pick<S3Answer, 'status' | 'bytes'>, S3Reason>>
}

/** Credentials are renewed this long before they expire, so that a clock may be a little wrong. */
const renewBeforeMs = 120_000

/**
 * Provides the credentials of the environment: an access key, or those that the token service grants a role for a web
 * identity token, as clusters and CI systems have them. The latter are kept until shortly before they expire.
 */
export function awsCredentials({
  environment,
  now,
  requestToken,
}: CredentialsOptions): () => Promise<CredentialsReply> {
  const set = (name: string) => environment[name]?.trim() || undefined
  let granted: { readonly credentials: AwsCredentials; readonly expiresAtMs: number } | undefined

  const assumeRole = async (file: string, role: string): Promise<CredentialsReply> => {
    const token = await readFile(file, 'utf8').catch(() => undefined)
    if (token === undefined) return failed('no-token-file')
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

import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { isAwsRegion, type S3Location } from '../manifest/s3-location.js'
import { formatLocation } from '../manifest/state-location.js'
import type { Result } from '../result.js'
import type { StorageAnswer } from '../state/folder-store.js'
import { objectBackend } from '../state/object-backend.js'
import { failS3, runHeader, type S3Request, s3Store } from '../state/s3-store.js'
import type { StateBackend } from '../state/series.js'
import type { S3Reason } from '../state/state-failure.js'
import { type AwsCredentials, createAwsCredentials } from './aws-credentials.js'
import { readAwsProfile } from './aws-profile.js'
import { findStoreRoute, sendToStorage } from './reach-store.js'
import { pause, systemClock } from './system-ports.js'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the endpoint of a location unless the environment names it too. A manifest or a pointer may come from an
 * unknown author, who must not choose where signed requests and session tokens are sent.
 */
export function findForeignEndpoint({ endpoint }: S3Location, environment: Environment): string | undefined {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = environment
  const named = AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL || readAwsProfile(environment).endpointUrl || ''
  return URL.canParse(named) && new URL(named).origin === endpoint ? undefined : endpoint
}

/** Opens state in a bucket, with the credentials from the environment. Sends nothing until it is used. */
export function openS3(location: S3Location, environment: Environment): StateBackend {
  const region =
    location.region ||
    environment['AWS_REGION'] ||
    environment['AWS_DEFAULT_REGION'] ||
    readAwsProfile(environment).region ||
    ''
  const base = baseUrl(location, region)
  const tokenHost = isAwsRegion(region) ? `sts.${region}.${domain(region)}` : 'sts.amazonaws.com'
  const tokenService = environment['AWS_ENDPOINT_URL_STS'] ?? `https://${tokenHost}`
  const findCredentials = createAwsCredentials({ environment, tokenService, now: systemClock.now })
  const send = async (request: S3Request): Promise<Result<StorageAnswer, S3Reason>> => {
    if (!/^[a-z0-9-]+$/.test(region)) return failS3('no-region')
    const credentials = await findCredentials()
    if (!credentials.ok) return credentials
    const route = findStoreRoute(base, environment)
    if (!route.ok) return failS3('proxy-unusable', route.error)
    const { method, body } = request
    const { url, headers } = await sign(request, { base, region, credentials: credentials.value })
    const reply = await sendToStorage(
      {
        method,
        url: url.origin,
        path: `${url.pathname}${url.search}`,
        headers,
        answerHeader: runHeader,
        ...(body !== undefined && { body: { contentType: 'application/json', bytes: body } }),
      },
      route.value,
    )
    return reply.ok ? reply : { ok: false, error: { kind: 's3', ...reply.error } }
  }
  return {
    ...objectBackend(formatLocation(location), s3Store(location.prefix, send), pause),
    address: async () => base,
  }
}

/** Puts the bucket into the host name at AWS; into the path elsewhere, or if its dots would not match the certificate. */
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

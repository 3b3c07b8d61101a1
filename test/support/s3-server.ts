import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type RecordedAnswer, readRecording, recordedTexts } from './answers/recorded.js'
import {
  type ObjectAnswer,
  type ObjectServer,
  type ObjectServerFaults,
  objectServer,
  pageOf,
} from './object-server.js'

/** Faults of an object storage server. */
export interface S3Faults extends ObjectServerFaults {
  /** The largest accepted difference between the clocks of client and server, in milliseconds. Default: 15 minutes. */
  maxSkewMs?: number
  /** Answers this many requests with this response. */
  answers?: ({ recorded: string } | { status: number; code?: string; body?: string }) & { times: number }
}

/** A server whose URL is the `endpoint=` of a location. */
export interface S3Server extends ObjectServer {
  readonly bucket: string
  /** The environment with the accepted credentials; it also allows the URL of the server as an endpoint. */
  readonly environment: Readonly<Record<string, string>>
  readonly faults: S3Faults
  readonly objects: Map<string, { readonly text: string; readonly run: string | undefined }>
}

const region = 'eu-test-1'
const accessKey = 'AKIDOFATEST'
const secretKey = 'secret-of-a-test/+='
const sessionToken = 'session-of-a-test=='
/** Small, to split listings into pages. */
const pageSize = 3

/**
 * Serves one bucket with the recorded responses of Ceph, and verifies each signature independently of the client, from the
 * bytes received. The token service is at `/sts`.
 */
export async function s3Server(faults: S3Faults = {}): Promise<S3Server> {
  const bucket = 'state-of-tests'
  const objects: S3Server['objects'] = new Map()
  const answer = (request: IncomingMessage, body: Buffer) =>
    answerFor({ request, body, bucket, objects, faults })
  const server = await objectServer({ faults, answer })
  return {
    ...server,
    bucket,
    environment: {
      AWS_ENDPOINT_URL_S3: server.url,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKey,
      AWS_SECRET_ACCESS_KEY: secretKey,
      AWS_SESSION_TOKEN: sessionToken,
    },
    faults,
    objects,
  }
}

interface Asked extends Pick<S3Server, 'bucket' | 'objects' | 'faults'> {
  readonly request: IncomingMessage
  readonly body: Buffer
}

const recording = readRecording('ceph')
const recorded = recordedTexts(recording)

/** Returns the recorded error with a code. Otherwise makes one in its form, with a message that no client may show. */
function error(status: number, code: string): ObjectAnswer {
  const isIt = (answer: RecordedAnswer) =>
    answer.status === status && `${answer.body}`.includes(`<Code>${code}</Code>`)
  const [what] = Object.entries(recording.answers).find(([, answer]) => isIt(answer)) ?? []
  if (what !== undefined) return recorded(what)
  const { headers, body } = recorded('a wrong access key')
  return { status, headers, body: filled(body, { Code: code, Message: `${accessKey} ${secretKey}` }) }
}

function answerFor({ request, body, bucket, objects, faults }: Asked): ObjectAnswer {
  const url = new URL(request.url ?? '/', 'http://storage')
  if (faults.answers !== undefined && faults.answers.times > 0) {
    faults.answers.times -= 1
    if ('recorded' in faults.answers) return recorded(faults.answers.recorded)
    const { status, code, body: text } = faults.answers
    return code === undefined ? { status, body: text ?? '' } : error(status, code)
  }
  if (url.pathname === '/sts/') return grant(new URLSearchParams(body.toString()))
  const problem = findSignatureProblem(request, { url, body, maxSkewMs: faults.maxSkewMs ?? 900_000 })
  if (problem !== undefined) return error(403, problem)
  const [, name = '', ...segments] = url.pathname.split('/')
  const isWrite = request.method === 'PUT'
  if (name !== bucket) {
    const answer = recorded(
      `a listing ${name === 'forbidden' ? 'that is forbidden' : 'of a bucket that does not exist'}`,
    )
    return { ...answer, body: filled(answer.body, { BucketName: name }) }
  }
  const key = segments.join('/')
  if (isWrite) return put(key, { request, body, bucket, objects, faults })
  if (request.method !== 'GET') return error(405, 'MethodNotAllowed')
  if (key === '') return list(url.searchParams, objects, faults)
  const { findsAll } = faults
  const object = findsAll === undefined ? objects.get(key) : { text: findsAll, run: undefined }
  if (object === undefined) return recorded('a missing version')
  const { headers } = recorded('a version')
  const own = { ...headers, etag: etagOf(object.text), [runHeader]: object.run ?? '' }
  return { status: 200, headers: own, body: object.text }
}

const runHeader = 'x-amz-meta-landform-run'

function put(key: string, { request, body, objects, faults }: Asked): ObjectAnswer {
  if (request.headers['if-none-match'] !== '*') return error(400, 'InvalidRequest')
  const text = body.toString()
  const made = { ...recorded('a new version'), headers: { etag: etagOf(text) } }
  if (faults.loses?.test(key)) return made
  if (objects.has(key) && !faults.ignoresConditions)
    return faults.confirmsAll ? made : recorded('a version that exists')
  objects.set(key, {
    text: faults.empties?.test(key) ? '' : text,
    run: request.headers[runHeader]?.toString(),
  })
  return made
}

function etagOf(text: string): string {
  return `"${createHash('md5').update(text).digest('hex')}"`
}

/** Returns a recorded listing with other entries. */
function list(query: URLSearchParams, objects: S3Server['objects'], faults: S3Faults): ObjectAnswer {
  const [prefix, delimiter, page] = [
    query.get('prefix') ?? '',
    query.get('delimiter'),
    query.get('continuation-token'),
  ]
  const listed = [...objects].slice(0, faults.listsFirst)
  const below = listed
    .filter(([key]) => key.startsWith(prefix))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const entries = below.map(([key, { text }]) => {
    const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length)
    return end < 0
      ? filled(contents, { Key: key, ETag: etagOf(text).replaceAll('"', '&quot;'), Size: `${text.length}` })
      : `<CommonPrefixes><Prefix>${key.slice(0, end + 1)}</Prefix></CommonPrefixes>`
  })
  const all = [...new Set(entries)]
  const from = Number(page?.replace(/^&page=/, '') ?? 0)
  const limit = Number(query.get('max-keys') ?? pageSize)
  const { some, next } = pageOf(all, { from, limit }, faults)
  const latter = next === undefined ? '' : `<NextContinuationToken>&amp;page=${next}</NextContinuationToken>`
  const former = page === null ? '' : `<ContinuationToken>${page.replace('&', '&amp;')}</ContinuationToken>`
  const answer = recorded(delimiter === null ? 'a listing' : 'a listing of sites')
  const empty = answer.body.replace(/<(Contents|CommonPrefixes)>.*<\/\1>/s, '')
  const own = {
    IsTruncated: `${next !== undefined}`,
    Prefix: prefix,
    KeyCount: `${some.length}`,
    MaxKeys: query.get('max-keys'),
  }
  const body = filled(empty, own).replace('<KeyCount>', [...some, latter, former, '<KeyCount>'].join(''))
  return { ...answer, body }
}

/** The entry of an object in a recorded listing. */
const [contents = ''] = /<Contents>.*<\/Contents>/s.exec(recorded('a listing').body) ?? []

/** Replaces the texts of elements. */
function filled(xml: string, texts: Readonly<Record<string, string | null>>): string {
  return Object.entries(texts).reduce(
    (filledSo, [name, text]) =>
      text === null ? filledSo : filledSo.replace(new RegExp(`(?<=<${name}>)[^<]*`), () => text),
    xml,
  )
}

function grant(form: URLSearchParams): ObjectAnswer {
  const isRight =
    form.get('Action') === 'AssumeRoleWithWebIdentity' &&
    form.get('RoleArn') === 'arn:aws:iam::1:role/landform' &&
    form.get('WebIdentityToken') === 'token-of-a-workload'
  if (!isRight) return error(403, 'AccessDenied')
  const expires = new Date(Date.now() + 3_600_000).toISOString()
  const fields = {
    AccessKeyId: accessKey,
    SecretAccessKey: secretKey,
    SessionToken: sessionToken,
    Expiration: expires,
  }
  const body = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`)
  return {
    status: 200,
    body: `<AssumeRoleWithWebIdentityResponse><Credentials>${body.join('')}</Credentials></AssumeRoleWithWebIdentityResponse>`,
  }
}

/** Verifies a signature of version 4 by its specification: the canonical request, the string to sign, and the derived keys. */
function findSignatureProblem(
  request: IncomingMessage,
  { url, body, maxSkewMs }: { readonly url: URL; readonly body: Buffer; readonly maxSkewMs: number },
): string | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/
  const [, key, day = '', place = '', signed = '', signature] =
    form.exec(request.headers.authorization ?? '') ?? []
  if (key === undefined) return 'AccessDenied'
  if (key !== accessKey) return 'InvalidAccessKeyId'
  if (place !== region) return 'AuthorizationHeaderMalformed'
  if (request.headers['x-amz-security-token'] !== sessionToken) return 'ExpiredToken'
  const header = (name: string) => request.headers[name]?.toString().trim() ?? ''
  const names = signed.split(';')
  const mustBeSigned = [
    'host',
    ...Object.keys(request.headers).filter(name => name.startsWith('x-amz-') || name === 'if-none-match'),
  ]
  if (mustBeSigned.some(name => !names.includes(name))) return 'SignatureDoesNotMatch'
  if (header('x-amz-content-sha256') !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const date = header('x-amz-date')
  const sent = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(Date.now() - sent) < maxSkewMs)) return 'RequestTimeTooSkewed'
  const query = [...url.searchParams].map(pair => pair.map(encode).join('=')).sort()
  const canonical = [
    request.method,
    url.pathname,
    query.join('&'),
    ...names.map(name => `${name}:${header(name)}`),
    '',
    signed,
    header('x-amz-content-sha256'),
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const chain = [day, region, 's3', 'aws4_request', text]
  const expected = chain.reduce<Buffer>(
    (by, part) => createHmac('sha256', by).update(part).digest(),
    Buffer.from(`AWS4${secretKey}`),
  )
  return expected.toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

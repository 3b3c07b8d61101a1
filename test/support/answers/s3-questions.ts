import { tool } from '../../../src/version.js'
import { type Answer, type Question, readElement } from '../real/ask.js'
import { askSigned, type Signature, type SigningKeys } from '../real/signed.js'

/** A server that gets the requests: a real one, or the double. */
export interface AskedStorage {
  readonly url: string
  readonly bucket: string
  readonly region?: string
  readonly keys: SigningKeys
}

const prefix = 'sites/production'
const folder = 'gis.example.org-0123456789ab'
const key = (serial: number) => `${prefix}/${folder}/00000${serial}.json`

/** Sends a request as the client of Landform does. */
export function askStorage(
  { url, bucket, region, keys }: AskedStorage,
  path: string,
  question: Question = {},
  signature: Partial<Signature> = {},
): Promise<Answer> {
  const named = { ...question, headers: { 'user-agent': tool, ...question.headers } }
  return askSigned(`${url}/${bucket}${path}`, named, { keys, ...(region && { region }), ...signature })
}

/** Creates a version, as Landform does. */
export function putVersion(
  storage: AskedStorage,
  serial: number,
  body = `{"n":${serial}}`,
  signature: Partial<Signature> = {},
): Promise<Answer> {
  const headers = {
    'if-none-match': '*',
    'x-amz-meta-landform-run': 'run-1',
    'content-type': 'application/json',
  }
  return askStorage(storage, `/${key(serial)}`, { method: 'PUT', headers, body }, signature)
}

/** Lists the versions of the site as Landform does; `more` adds parameters. */
export function listVersions(
  storage: AskedStorage,
  more = '',
  signature: Partial<Signature> = {},
): Promise<Answer> {
  const below = encodeURIComponent(`${prefix}/${folder}/`)
  return askStorage(storage, `?list-type=2&prefix=${below}${more}`, {}, signature)
}

/** Requests that every server can answer, in this order, starting with an empty bucket. */
export const s3Questions: Readonly<Record<string, (storage: AskedStorage) => Promise<Answer>>> = {
  'an empty listing': listVersions,
  'a missing version': storage => askStorage(storage, `/${key(1)}`),
  'a new version': storage => putVersion(storage, 1),
  'a version that exists': storage => putVersion(storage, 1),
  'a version': storage => askStorage(storage, `/${key(1)}`),
  'a listing': storage => listVersions(storage),
  async 'the first page of a listing'(storage) {
    await putVersion(storage, 2)
    return listVersions(storage, '&max-keys=1')
  },
  async 'the last page of a listing'(storage) {
    const { body } = await listVersions(storage, '&max-keys=1')
    const page = encodeURIComponent(readElement(body, 'NextContinuationToken'))
    return listVersions(storage, `&max-keys=1&continuation-token=${page}`)
  },
  'a listing of sites': storage =>
    askStorage(storage, `?list-type=2&prefix=${encodeURIComponent(`${prefix}/`)}&delimiter=%2F`),
  'a wrong access key': storage =>
    listVersions(storage, '', { keys: { ...storage.keys, accessKeyId: 'KEYOFNOBODY' } }),
  'a wrong secret key': storage =>
    listVersions(storage, '', { keys: { ...storage.keys, secretAccessKey: 'another' } }),
  'a wrong clock': storage => listVersions(storage, '', { datetime: '20200101T000000Z' }),
  'a listing of a bucket that does not exist': storage => listVersions({ ...storage, bucket: 'missing' }),
  'a new version in a bucket that does not exist': storage =>
    putVersion({ ...storage, bucket: 'missing' }, 1),
  'a listing that is forbidden': storage => listVersions({ ...storage, bucket: 'forbidden' }),
  'a new version that is forbidden': storage => putVersion({ ...storage, bucket: 'forbidden' }, 1),
}

import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { type Answer, ask, type Question } from './ask.js'

/** The keys of a user of object storage. */
export interface SigningKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** The signer of a request, and the time of the signature, as `YYYYMMDDTHHMMSSZ`. */
export interface Signature {
  readonly keys: SigningKeys
  readonly region?: string
  readonly datetime?: string
}

/** Signs a request to object storage and sends it. */
export async function askSigned(
  url: string,
  { method = 'GET', headers = {}, body }: Question,
  { keys, region = 'us-east-1', datetime }: Signature,
): Promise<Answer> {
  const digest = createHash('sha256')
    .update(body ?? '')
    .digest('hex')
  const signer = new AwsV4Signer({
    method,
    url,
    headers: { ...headers, 'x-amz-content-sha256': digest },
    service: 's3',
    region,
    ...keys,
    ...(datetime && { datetime }),
  })
  const signed = await signer.sign()
  return ask(`${signed.url}`, {
    method,
    headers: Object.fromEntries(signed.headers),
    ...(body !== undefined && { body }),
  })
}

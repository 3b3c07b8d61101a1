import { type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/** A request of a test, which does not use Landform's client. */
export interface Question {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The certificate authority of a TLS server. */
  readonly ca?: string
}

/** A complete response. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends a request. Returns the complete response. */
export function ask(url: string, { method = 'GET', headers = {}, body, ca }: Question = {}): Promise<Answer> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }
    const request = send(
      url,
      { method, headers: { ...headers, ...length }, agent: false, ...(ca && { ca }) },
      response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** Returns the text of an XML element. */
export function readElement(xml: string, name: string): string {
  const [, text = ''] = new RegExp(`<${name}>([^<]+)<`).exec(xml) ?? []
  const entities = { lt: '<', gt: '>', quot: '"', amp: '&' }
  return Object.entries(entities).reduce((so, [entity, one]) => so.replaceAll(`&${entity};`, one), text)
}

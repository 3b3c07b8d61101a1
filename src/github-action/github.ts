import { randomUUID } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { Agent, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { tool } from '../version.js'

/** The REST API of GitHub. */
export interface GitHubApi {
  readonly url: URL
  readonly token: string
  readonly environment: NodeJS.ProcessEnv
}

/** A response of GitHub, with any status. */
export interface GitHubResponse {
  readonly status: number
  readonly body: unknown
  readonly header: (name: string) => string | undefined
}

const longestSilenceMs = 30_000
/** Far more than a page of a hundred comments of maximum length. */
const maxBytes = 64 * 1024 * 1024

/** Parses the address of the API; undefined if the token would be sent there unencrypted. */
export function parseApiUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isHere =
    url !== undefined &&
    (isIP(url.hostname) === 4 ? url.hostname.startsWith('127.') : url.hostname === '[::1]')
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere) ? url : undefined
}

/** Sends one request. Rejects without a response. */
export function requestGitHub(
  { url, token, environment }: GitHubApi,
  { method, path, json }: { readonly method: string; readonly path: string; readonly json?: object },
): Promise<GitHubResponse> {
  const content = json === undefined ? undefined : Buffer.from(JSON.stringify(json))
  // Newer versions of Node take the proxy of the environment here; older ones ignore it.
  const proxied = { keepAlive: false, proxyEnv: environment }
  const secure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const sent = (secure ? requestHttps : requestHttp)(
      new URL(`${url.origin}${url.pathname.replace(/\/$/, '')}${path}`),
      {
        method,
        ...(secure && { agent: new Agent(proxied) }),
        signal: AbortSignal.timeout(longestSilenceMs),
        headers: {
          accept: 'application/vnd.github+json',
          authorization: `Bearer ${token}`,
          'user-agent': tool,
          'x-github-api-version': '2022-11-28',
          ...(content !== undefined && {
            'content-type': 'application/json',
            'content-length': content.length,
          }),
        },
      },
      answer => {
        const chunks: Buffer[] = []
        let bytes = 0
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > maxBytes) answer.destroy(new Error('the response is too long'))
          else chunks.push(chunk)
        })
        answer.on('error', reject)
        answer.on('end', () => {
          const header = (name: string) => {
            const value = answer.headers[name]
            return Array.isArray(value) ? value.join(', ') : value
          }
          resolve({ status: answer.statusCode ?? 0, body: parseBody(Buffer.concat(chunks)), header })
        })
      },
    )
    sent.on('error', reject)
    sent.end(content)
  })
}

function parseBody(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Formats a workflow command that GitHub shows as an annotation. */
export function formatAnnotation(level: 'notice' | 'warning' | 'error', text: string): string {
  const inert = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  return `::${level} title=landform::${inert}\n`
}

/** Formats outputs for the file in `GITHUB_OUTPUT`, with a delimiter that no value can contain. */
export function formatOutputs(outputs: Readonly<Record<string, string>>): string {
  return Object.entries(outputs)
    .map(([name, value]) => {
      const end = `end-${randomUUID()}`
      return `${name}<<${end}\n${value}\n${end}\n`
    })
    .join('')
}

/** Parses lines `name=value`, the only form that the program writes. */
export function parseOutputs(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter(line => line.includes('='))
  return Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

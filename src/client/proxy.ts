import { BlockList, isIP, type Socket } from 'node:net'
import type { Plain } from '../diagnostics/wording.js'
import { isLoopback } from '../manifest/site-url.js'
import { tool } from '../version.js'
import { connectDeadlineMs, createCodeError, readErrorCode } from './limit.js'

/** A proxy that requests go through. Its URL may hold a password: only `host` is ever shown. */
export interface SiteProxy {
  readonly url: URL
  /** With the port. */
  readonly host: string
  /** The environment variable that names it. */
  readonly variable: string
}

/** The proxy for a URL, the reason why the named one cannot be used, or a direct connection. */
type ProxyChoice =
  | { readonly kind: 'direct' }
  | { readonly kind: 'proxy'; readonly proxy: SiteProxy }
  | { readonly kind: 'unusable'; readonly variable: string; readonly defect: ProxyDefect }

/** The reason why a proxy cannot be used. */
export type ProxyDefect =
  | Plain<'quoted' | 'not-a-url' | 'not-only-a-host' | 'invalid-escape'>
  | { readonly kind: 'unsupported-scheme'; readonly scheme: string }

type ProxyEnvironment = Readonly<Record<string, string | undefined>>

/** In the order of curl. HTTP_PROXY is not read, because plain HTTP never leaves this machine. */
const variables = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'] as const

/** Selects the proxy that the environment names for an address, by the convention of curl and Go. */
export function selectProxy(url: string, environment: ProxyEnvironment): ProxyChoice {
  const site = new URL(url)
  if (isLoopback(site.hostname)) return { kind: 'direct' }
  const variable = variables.find(name => (environment[name] ?? '').trim() !== '')
  if (variable === undefined || isExcepted(site, environment)) return { kind: 'direct' }
  const text = (environment[variable] ?? '').trim()
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const unusable = (defect: ProxyDefect): ProxyChoice => ({ kind: 'unusable', variable, defect })
  if (/^["']/.test(text)) return unusable({ kind: 'quoted' })
  if (!namesOnlyHost.test(whole)) return unusable({ kind: 'not-only-a-host' })
  if (!URL.canParse(whole)) return unusable({ kind: 'not-a-url' })
  const proxy = new URL(whole)
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:')
    return unusable({ kind: 'unsupported-scheme', scheme: proxy.protocol.slice(0, -1) })
  if (!isDecodable(proxy)) return unusable({ kind: 'invalid-escape' })
  const port = proxy.port === '' ? (proxy.protocol === 'https:' ? '443' : '80') : proxy.port
  return { kind: 'proxy', proxy: { url: proxy, host: `${proxy.hostname}:${port}`, variable } }
}

/**
 * Rejects a `#`, `?`, `/` or `\`, as in a password that is not encoded: a URL parser ends the host there, and so takes the
 * beginning of the password as the host.
 */
const namesOnlyHost = /^[^:]+:\/\/[^#?/\\]*\/?$/

/** True if the user name and the password of the proxy can be decoded. */
function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}:${password}`)
    return true
  } catch {
    return false
  }
}

function isExcepted({ hostname, port, protocol }: URL, environment: ProxyEnvironment): boolean {
  const list = environment['no_proxy'] ?? environment['NO_PROXY'] ?? ''
  const site = { host: stripBrackets(hostname), port: port === '' ? defaultPorts[protocol] : port }
  return list.split(/[\s,]+/).some(entry => entry !== '' && matchesException(entry.toLowerCase(), site))
}

const defaultPorts: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' }

/** Matches one entry: `*`, a domain and all below it, an address or a range of addresses, each with an optional port. */
function matchesException(
  entry: string,
  { host, port }: { readonly host: string; readonly port: string | undefined },
) {
  if (entry === '*') return true
  const [, name = entry, only] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? []
  if (only !== undefined && only !== port) return false
  const wanted = stripBrackets(name)
  const family = isIP(host)
  if (family !== 0) return wanted === host || isInRange(host, wanted)
  const domain = wanted.replace(/^\*?\./, '')
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`))
}

function isInRange(address: string, range: string): boolean {
  const [start = '', prefix = ''] = range.split('/')
  const family = isIP(start)
  if (family === 0 || family !== isIP(address) || !/^\d{1,3}$/.test(prefix)) return false
  if (Number(prefix) > (family === 4 ? 32 : 128)) return false
  const list = new BlockList()
  const type = family === 4 ? 'ipv4' : 'ipv6'
  list.addSubnet(start, Number(prefix), type)
  return list.check(address, type)
}

function stripBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/**
 * Opens a tunnel through a proxy to a site. The proxy receives its own password, and the host and port of the site. Error
 * codes begin with `PROXY_`: nothing was sent to the site.
 */
export async function openTunnel({ url }: SiteProxy, target: string, signal: AbortSignal): Promise<Socket> {
  const { Client } = await import('undici')
  const client = new Client(url.origin, {
    allowH2: false,
    connect: { timeout: connectDeadlineMs, minVersion: 'TLSv1.2', rejectUnauthorized: true, signal },
    headersTimeout: connectDeadlineMs,
  })
  const authorization = formatBasic(url)
  const headers = {
    host: target,
    'user-agent': tool,
    ...(authorization !== undefined && { 'proxy-authorization': authorization }),
  }
  try {
    const { statusCode, socket } = await client.connect({ path: target, headers, signal })
    if (statusCode === 200) return socket as Socket
    socket.destroy()
    throw createCodeError(`HTTP_${statusCode}`)
  } catch (error) {
    throw createCodeError(`PROXY_${readErrorCode(error)}`)
  } finally {
    // The tunnel no longer belongs to the client.
    await client.destroy()
  }
}

function formatBasic({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  const plain = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  return `Basic ${plain.toString('base64')}`
}

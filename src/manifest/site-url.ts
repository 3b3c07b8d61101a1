import { operationPaths } from '../contract/operation-paths.js'

/**
 * True for a site URL as most are written, for which `findSiteUrlProblem`, `hasCapitals` and `suggestBaseUrl` find nothing, and
 * which is normal as it is. A check of many manifests spends a tenth of its time with parsing URLs otherwise.
 */
export function isPlainSiteUrl(text: string): boolean {
  return plainSiteUrl.test(text) && !text.includes('xn--')
}

/** The last label of the host begins with a letter, so that it is no address of numbers. */
const plainSiteUrl = /^https:\/\/(?:[a-z0-9-]{1,63}\.){1,8}[a-z][a-z0-9-]{0,62}\/[a-z][a-z0-9-]{0,62}\/admin$/

/** Describes why a text is not a valid site URL, as the end of a sentence; `undefined` for a valid one. */
export function findSiteUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    return 'must use https; http is allowed only for an emulator on this machine'
  if (url.username !== '' || url.password !== '') return 'contains a user name or password'
  if (text.includes('?') || text.includes('#')) return 'contains a query or a fragment'
  // The host must read exactly as it is called: no other alphabets, no numeric notations of addresses, no dot at the end.
  const after = text.toLowerCase().startsWith(url.origin) ? text.slice(url.origin.length) : undefined
  if (after === undefined || !/^(?::\d+)?(?:\/|$)/.test(after) || url.hostname.endsWith('.'))
    return 'must contain the host name exactly as it is in DNS'
  // The URL must read exactly as it is called: no backslashes, escapes or invisible characters.
  if (/[^!-~]|[\\%]/.test(text) && /[\\\s%\p{Cc}\p{Cf}]/u.test(text)) return 'contains an invalid character'
  // Servers ignore path parameters, so one site would have any number of URLs.
  if (/[;,]/.test(url.pathname)) return 'contains a path parameter; remove `;` or `,` and the text after it'
  // Most services read them as one slash, so one site would have two URLs with separate state.
  if (/\/\/[^/]/.test(url.pathname)) return 'contains two slashes in a row'
  const [, operation] = operationPath.exec(url.pathname) ?? []
  return operation === undefined ? undefined : `ends in an operation: leave out \`${operation}\``
}

/** The path of an operation behind the base URL. */
const operationPath = new RegExp(
  `(${Object.values(operationPaths)
    .map(path => path.replace('{service}', '[^/]+(?:/[^/]+)?'))
    .join('|')})/*$`,
)

/** True if the path has upper-case letters; servers differ in whether paths are case-sensitive. */
export function hasCapitals(text: string): boolean {
  // Parsing costs more than all the rest. Other characters may be escaped, with letters that are upper-case.
  if (/^[a-z0-9:/._-]*$/.test(text)) return false
  return URL.canParse(text) && /[A-Z]/.test(new URL(text).pathname)
}

/**
 * Suggests the base URL that an address most likely stands for: the first segment of the path, and `admin`. `undefined`
 * if the address ends like one, or is an emulator on this machine.
 */
export function suggestBaseUrl(text: string): string | undefined {
  const { origin, hostname, pathname } = new URL(text)
  const [context = 'arcgis', ...others] = pathname.split('/').filter(Boolean)
  const isBase = others.at(-1) === 'admin' || context === 'admin'
  return isBase || isLoopback(hostname) ? undefined : `${origin}/${context}/admin`
}

/** Normalizes the URL of a site: no trailing slash. */
export function normalizeSiteUrl(text: string): string {
  if (isPlainSiteUrl(text)) return text
  const url = new URL(text)
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`
}

/** True for a host name that never leaves this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

/** True for two ports of this machine: an emulator that is started again is another site. */
export function areTwoEmulators(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)]
  return isLoopback(a.hostname) && isLoopback(b.hostname) && a.port !== b.port
}

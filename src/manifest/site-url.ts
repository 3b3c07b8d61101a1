import { operationPaths } from '../contract/operation-paths.js'

/**
 * Fast path: true for a URL in the usual form. It is normal, and `findSiteUrlProblem`, `hasCapitals` and
 * `suggestBaseUrl` find nothing. Without it, parsing URLs takes a tenth of the time to check many manifests.
 */
export function isPlainSiteUrl(text: string): boolean {
  return plainSiteUrl.test(text) && !text.includes('xn--')
}

/** The last label of the host begins with a letter, so the host is not an IP address. */
const plainSiteUrl = /^https:\/\/(?:[a-z0-9-]{1,63}\.){1,8}[a-z][a-z0-9-]{0,62}\/[a-z][a-z0-9-]{0,62}\/admin$/

/** Describes why a text is not a valid site URL, as the end of a sentence; `undefined` for a valid one. */
export function findSiteUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    return 'must use https; http is allowed only for an emulator on this machine'
  if (url.username !== '' || url.password !== '') return 'contains a user name or password'
  if (text.includes('?') || text.includes('#')) return 'contains a query or a fragment'
  // The host must be written as it is resolved: no other alphabets, no numeric notations of addresses, no dot at the end.
  const after = text.toLowerCase().startsWith(url.origin) ? text.slice(url.origin.length) : undefined
  if (after === undefined || !/^(?::\d+)?(?:\/|$)/.test(after) || url.hostname.endsWith('.'))
    return 'must contain the host name exactly as it is in DNS'
  // The URL must be written as it is requested: no backslashes, escapes or invisible characters.
  if (/[^!-~]|[\\%]/.test(text) && /[\\\s%\p{Cc}\p{Cf}]/u.test(text)) return 'contains an invalid character'
  // Servers ignore path parameters, so a site would have any number of URLs.
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
  // Fast path: parsing costs more than everything else here. Other characters may decode to upper-case letters.
  if (/^[a-z0-9:/._-]*$/.test(text)) return false
  return URL.canParse(text) && /[A-Z]/.test(new URL(text).pathname)
}

/**
 * Suggests the base URL for an address: the first segment of its path, and `admin`. Returns `undefined` if the address
 * already ends in `admin`, or is an emulator on this machine.
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

/** True for two ports of this machine: an emulator that is started again counts as another site. */
export function areTwoEmulators(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)]
  return isLoopback(a.hostname) && isLoopback(b.hostname) && a.port !== b.port
}

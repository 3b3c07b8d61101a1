/** Why an address cannot be that of a site, as the end of a sentence; `undefined` when it can. */
export function siteUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL'
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
    return 'is not https; plain http is for an emulator on this machine only'
  if (url.username !== '' || url.password !== '') return 'holds a user name or password'
  if (text.includes('?') || text.includes('#')) return 'holds a query or a fragment'
  // What a person reads is the host that is called: no other alphabets, no numbers for addresses, no dot at the end.
  const after = text.toLowerCase().startsWith(url.origin) ? text.slice(url.origin.length) : undefined
  if (after === undefined || !/^(?::\d+)?(?:\/|$)/.test(after) || url.hostname.endsWith('.'))
    return 'is not written as it is called; write the host as it is in DNS'
  // What a person reads must be what is called: no backslashes, escapes or invisible characters.
  if (/[^!-~]|[\\%]/.test(text) && /[\\\s%\p{Cc}\p{Cf}]/u.test(text))
    return 'holds a character that does not belong into an address'
  // Servers take it for no part of the path, and then one site would have as many addresses as one likes.
  if (/[;,]/.test(url.pathname))
    return 'holds a parameter in its path; take out `;` and `,` with what follows'
  // Most services read it as one, and then one site would have two addresses, and state of its own for each.
  if (/\/\/[^/]/.test(url.pathname)) return 'holds two slashes in a row'
  return undefined
}

/** True where a path may be another spelling of one that servers read alike: they differ in whether capitals count. */
export function hasCapitals(text: string): boolean {
  return URL.canParse(text) && /[A-Z]/.test(new URL(text).pathname)
}

/** The one spelling of a site's address: no trailing slash. */
export function normalizedSiteUrl(text: string): string {
  const url = new URL(text)
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`
}

/** True for a host name that never leaves this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

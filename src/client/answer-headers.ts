import type { Redirect } from './failure.js'
import type { HttpAnswer } from './message.js'

/** Parses the headers of an answer to a request for an address: its date, the pause that it asks for, and its redirect. */
export function parseHeaders(
  requested: string,
  status: number,
  header: (name: 'date' | 'location' | 'retry-after') => string | undefined,
): Pick<HttpAnswer, 'answeredAtMs' | 'redirect' | 'retryAfterMs'> {
  const answeredAtMs = parseHttpDate(header('date') ?? '')
  const wait = parseRetryAfter(header('retry-after'), answeredAtMs)
  const isRedirect = status >= 300 && status < 400
  return {
    ...(answeredAtMs !== undefined && { answeredAtMs }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(isRedirect && { redirect: parseRedirect(requested, header('location')) }),
  }
}

/** A header that is there twice is read once. */
export function firstHeader(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0]
}

const bounds = { leastMs: 1_000, mostMs: 5 * 60_000 } as const

/**
 * Parses the pause that an answer asks for: seconds or a date (RFC 9110 §10.2.3), between one second and five minutes. A
 * date counts from the date of the answer, so that the clock of this machine does not matter if that is present.
 */
export function parseRetryAfter(
  value: string | undefined,
  answeredAtMs: number | undefined,
): number | undefined {
  const text = value?.trim() ?? ''
  const askedMs = /^\d+$/.test(text) ? Number(text) * 1_000 : computeUntilMs(text, answeredAtMs)
  return askedMs === undefined ? undefined : Math.min(Math.max(askedMs, bounds.leastMs), bounds.mostMs)
}

function computeUntilMs(text: string, from: number | undefined): number | undefined {
  const until = parseHttpDate(text)
  return until === undefined ? undefined : until - (from ?? Date.now())
}

/** A date of HTTP, in milliseconds since 1970. Only what looks like one: `Date.parse` takes nearly anything for a date. */
export function parseHttpDate(text: string): number | undefined {
  const ms = /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

const signIn =
  /(?:^|[^a-z])(?:log-?in|sign-?in|log-?on|sign-?on|sso|saml2?|adfs|oauth2?|openid[a-z-]*|oidc|authorize)(?:[^a-z]|$)/i

/** Parses a `location` header in relation to the requested URL; empty where it cannot be parsed. RFC 9110 §10.2.2. */
export function parseRedirect(requested: string, location: string | undefined): Redirect {
  if (location === undefined || !URL.canParse(location, requested)) return {}
  const from = new URL(requested)
  const { origin, pathname, host } = new URL(location, requested)
  const target = origin === from.origin ? pathname : `${origin}${pathname}`
  if (origin === from.origin && pathname === `${from.pathname}/`) return { to: 'slash', target }
  return { to: signIn.test(`${host}${pathname}`) ? 'sign-in' : 'elsewhere', target }
}

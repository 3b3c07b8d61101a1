/** The target of a redirect. */
export interface Redirect {
  /** `slash`: only a slash at the end of the path is added. */
  readonly to?: 'sign-in' | 'slash' | 'elsewhere'
  /** The path, with the origin where that is another; never the query, which may hold what only the site should know. */
  readonly target?: string
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

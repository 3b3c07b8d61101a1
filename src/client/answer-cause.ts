/** The facts of a response that is not an error body of the service. */
export interface AnswerFacts {
  readonly status: number
  readonly form: 'json' | 'html' | 'text' | 'empty'
  /** The beginning of a body that is not JSON. */
  readonly text: string
  /** The realm of an authentication challenge, which the service itself never sends; empty without a name. */
  readonly realm: string | undefined
  readonly redirect: { readonly to?: string | undefined } | undefined
  /** The request carried the token of the site, or the account that signs in. */
  readonly hadToken: true | undefined
  /** The length of the body of the request. */
  readonly sentBytes: number | undefined
}

/** A cause: its test, and the kind of its failure. If the kind is `undefined`, the decoder chooses it. */
interface Row {
  readonly kind?: 'unauthorized' | 'trouble' | 'redirected'
  readonly is: (facts: AnswerFacts) => boolean
}

/** Matches only a title or a password field, because any page may link to a sign-in. */
const signInPage =
  /<title>[^<]{0,200}\b(?:sign|log)[- ]?[io]n\b|<input\b[^>]{0,500}\btype\s*=\s*["']?password/i
const maintenancePage =
  /<(?:title|h1)\b[^>]{0,200}>[^<]{0,200}\b(?:maintenance|be (?:right )?back (?:soon|shortly)|temporarily (?:unavailable|down))\b/i
/** Texts of nginx, Apache httpd, Tomcat and Go. */
const plainOnTls =
  /plain HTTP request was sent to HTTPS port|speaking plain HTTP to an SSL-enabled|requires TLS|HTTP request to an HTTPS server/i
/** Texts of nginx, which also has the statuses 495 and 496 for this. */
const certificateWanted = /No required SSL certificate was sent|The SSL certificate error/i
/** Texts of servlet containers and their libraries. */
const sizeExceeded =
  /SizeLimitExceeded|MaxUploadSizeExceeded|max(?:Post|Swallow)Size|exceed\w* the (?:configured )?(?:maximum|limit)|Form (?:is )?(?:larger than|too large)|entity too large/i

/** Statuses after which the same request may succeed later, whatever the body of the response. */
export const asksToWait: readonly number[] = [408, 425, 429, 503]

/** The size from which proxies commonly limit request bodies. */
const largeBytes = 64 * 1024

/** The causes of a response without an error body, in the order in which they are tried. */
const rows = {
  'sign-in': {
    kind: 'unauthorized',
    is: ({ redirect, form, status, text }) =>
      redirect?.to === 'sign-in' ||
      (status < 500 && !asksToWait.includes(status) && form === 'html' && signInPage.test(text)),
  },
  moved: { kind: 'redirected', is: ({ status }) => status >= 300 && status < 400 },
  'https-port': { is: ({ status, text }) => status === 497 || (status === 400 && plainOnTls.test(text)) },
  'client-certificate': {
    is: ({ status, text }) =>
      status === 495 || status === 496 || (status === 400 && certificateWanted.test(text)),
  },
  'proxy-account': {
    kind: 'unauthorized',
    is: ({ status, realm }) => status === 401 && realm !== undefined,
  },
  'too-large': { is: isTooLarge },
  maintenance: {
    kind: 'trouble',
    is: ({ status, form, text }) => status < 300 && form === 'html' && maintenancePage.test(text),
  },
  unavailable: { kind: 'trouble', is: ({ status }) => status >= 500 || asksToWait.includes(status) },
  denied: {
    kind: 'unauthorized',
    // With a token in the request, the response is about the token unless it is a page. Without one, a 401 in JSON asks for it.
    is: ({ status, form, hadToken }) =>
      (status === 401 || status === 403) && (hadToken ? form === 'html' : status === 403 || form !== 'json'),
  },
  token: { kind: 'unauthorized', is: ({ status }) => status === 401 || status === 403 },
  page: { is: ({ status, form }) => form === 'html' || (form !== 'json' && status >= 400) },
} as const satisfies Readonly<Record<string, Row>>

/** The cause of a response without an error body: `token`, or something in front of the service. */
export type FoundCause = keyof typeof rows

/** The cause of a response that the service did not send itself. */
export type AnswerCause = Exclude<FoundCause, 'token'>

/** Finds the cause of a response without an error body; `undefined` if nothing shows that it is not the service's own. */
export function findCause(facts: AnswerFacts): FoundCause | undefined {
  const names = Object.keys(rows) as readonly FoundCause[]
  return names.find(name => rows[name].is(facts))
}

/** Returns the kind of failure that a cause means. */
export function kindOf(cause: FoundCause, status: number): Row['kind'] {
  const row: Row = rows[cause]
  return row.kind ?? (status >= 500 ? 'trouble' : undefined)
}

/**
 * Tests for a request that is too large: the response says so, or a large request got a server error. In that case, servlet
 * containers send a page with status 500, and some proxies 502 without a body.
 */
function isTooLarge({ status, form, text, sentBytes = 0 }: AnswerFacts): boolean {
  if (status === 413) return true
  if (form === 'json' || status < 400) return false
  if (sentBytes > 0 && sizeExceeded.test(text)) return true
  return sentBytes >= largeBytes && (status === 500 ? form === 'html' : status === 502 && form === 'empty')
}

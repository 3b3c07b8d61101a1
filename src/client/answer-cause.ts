/** The facts of an answer that is not an error body of the service. */
export interface AnswerFacts {
  readonly status: number
  readonly form: 'json' | 'html' | 'text' | 'empty'
  /** The beginning of a body that is not JSON. */
  readonly text: string
  /** The realm of an account that is not the service's; empty without a name. */
  readonly realm: string | undefined
  readonly redirect: { readonly to?: string | undefined } | undefined
  /** The request carried the token of the site, or the account that signs in. */
  readonly hadToken: true | undefined
  /** The length of the body of the request. */
  readonly sentBytes: number | undefined
}

/** The kind of the failure that a cause makes; `undefined` leaves it to the decoder. */
interface Row {
  readonly kind?: 'unauthorized' | 'trouble' | 'redirected'
  readonly is: (facts: AnswerFacts) => boolean
}

/** Matches 200 pages only by a title or a field, because any page may link to a sign-in. */
const signInPage =
  /<title>[^<]{0,200}\b(?:sign|log)[- ]?[io]n\b|<input\b[^>]{0,500}\btype\s*=\s*["']?password/i
const maintenancePage =
  /<(?:title|h1)\b[^>]{0,200}>[^<]{0,200}\b(?:maintenance|be (?:right )?back (?:soon|shortly)|temporarily (?:unavailable|down))\b/i
/** nginx, Apache httpd, Tomcat, Go. */
const plainOnTls =
  /plain HTTP request was sent to HTTPS port|speaking plain HTTP to an SSL-enabled|requires TLS|HTTP request to an HTTPS server/i
/** nginx; 495 and 496 are its own statuses. */
const certificateWanted = /No required SSL certificate was sent|The SSL certificate error/i
/** Servlet containers and their libraries. */
const sizeExceeded =
  /SizeLimitExceeded|MaxUploadSizeExceeded|max(?:Post|Swallow)Size|exceed\w* the (?:configured )?(?:maximum|limit)|Form (?:is )?(?:larger than|too large)|entity too large/i

/** Statuses after which the same request may succeed later, with any body. */
export const asksToWait: readonly number[] = [408, 425, 429, 503]

/** The size from which something in front of a service commonly limits bodies. */
const largeBytes = 64 * 1024

/** The causes of an answer without an error body, in the order in which they are tried. */
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
    // An answer to a request with the token is about the token, unless it is a page; without one, a 401 in JSON asks for it.
    is: ({ status, form, hadToken }) =>
      (status === 401 || status === 403) && (hadToken ? form === 'html' : status === 403 || form !== 'json'),
  },
  token: { kind: 'unauthorized', is: ({ status }) => status === 401 || status === 403 },
  page: { is: ({ status, form }) => form === 'html' || (form !== 'json' && status >= 400) },
} as const satisfies Readonly<Record<string, Row>>

/** The cause of an answer without an error body: `token`, or something in front of the service. */
export type FoundCause = keyof typeof rows

/** The cause of an answer that the service did not give itself. */
export type AnswerCause = Exclude<FoundCause, 'token'>

/** Finds the cause of an answer without an error body; `undefined` if nothing shows that it is not the service's own. */
export function findCause(facts: AnswerFacts): FoundCause | undefined {
  const names = Object.keys(rows) as readonly FoundCause[]
  return names.find(name => rows[name].is(facts))
}

/** The kind of the failure that a cause makes. */
export function kindOf(cause: FoundCause, status: number): Row['kind'] {
  const row: Row = rows[cause]
  return row.kind ?? (status >= 500 ? 'trouble' : undefined)
}

/**
 * A page that says so, or a server error of something that a large request may have been too much for: servlet containers answer
 * 500, and some proxies 502 without a body.
 */
function isTooLarge({ status, form, text, sentBytes = 0 }: AnswerFacts): boolean {
  if (status === 413) return true
  if (form === 'json' || status < 400) return false
  if (sentBytes > 0 && sizeExceeded.test(text)) return true
  return sentBytes >= largeBytes && (status === 500 ? form === 'html' : status === 502 && form === 'empty')
}

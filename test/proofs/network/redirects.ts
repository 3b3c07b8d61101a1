import type { OtherAnswer } from './https-house.js'
import type { Operation } from './operations.js'

/** A way to be sent elsewhere in place of an answer. */
export interface Redirect {
  readonly what: string
  /** Whether clients that follow redirects follow this one. */
  readonly isFollowed: boolean
  answer(location: string): OtherAnswer
}

const login = (more = '') =>
  `<html><head><title>Sign in</title>${more}</head><body><form method="post"><input type="password"></form></body></html>`

function byStatus(status: number, isFollowed: boolean): Redirect {
  return {
    what: `HTTP ${status}`,
    isFollowed,
    answer: location => ({ status, headers: { location, 'content-type': 'text/html' }, body: login() }),
  }
}

const page = { 'content-type': 'text/html' }

/** Each of them. Browsers follow the last three, and programs do not. */
export const redirects: readonly Redirect[] = [
  ...[301, 302, 303, 307, 308].map(status => byStatus(status, true)),
  ...[300, 304, 305].map(status => byStatus(status, false)),
  {
    what: 'a page to sign in at',
    isFollowed: false,
    answer: location => ({
      status: 200,
      headers: page,
      body: login().replace('<form', `<form action="${location}"`),
    }),
  },
  {
    what: 'a page that moves on by itself',
    isFollowed: false,
    answer: location => ({
      status: 200,
      headers: page,
      body: login(`<meta http-equiv="refresh" content="0; url=${location}">`),
    }),
  },
  {
    what: 'a header that moves on by itself',
    isFollowed: false,
    answer: location => ({ status: 200, headers: { ...page, refresh: `0; url=${location}` }, body: login() }),
  },
]

/** What an operation ends with: a look was no answer, a request that writes is unknown, and it is not sent again. */
export const redirectedExits: Readonly<Record<Operation, readonly number[]>> = {
  observe: [75, 77, 78],
  configure: [4],
  update: [4],
  exportSite: [4],
  deleteAll: [4],
  signIn: [75, 77, 78],
}

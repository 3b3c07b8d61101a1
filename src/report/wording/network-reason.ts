import { display } from '../display.js'

/** The codes that say little by themselves. All others are those of Node, OpenSSL and undici, which searches find. */
const reasons: Readonly<Record<string, string>> = {
  TIMEOUT: 'timed out',
  TOKEN_REJECTED: 'the site rejected the token',
  'no-token': 'no token in the answer',
}

/** The code of a request without an answer, in words where there are better ones. */
export function describeNetworkReason(code: string): string {
  if (Object.hasOwn(reasons, code)) return reasons[code] ?? code
  const [, kind, number] = /^(HTTP|CODE)_(\d+)$/.exec(code) ?? []
  if (kind === undefined) return display(code)
  return `${kind === 'HTTP' ? 'HTTP' : 'code'} ${number}`
}

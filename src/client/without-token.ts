import type { Secret } from '../secrets/secret.js'
import type { Reply } from './failure.js'
import type { HttpAnswer } from './message.js'

/** A shorter one would be found where it is not meant. */
const minBytes = 8

/** Redacts the token in an answer, in case a site repeats it: texts of the service are printed. */
export function redactToken(answer: Reply<HttpAnswer>, token: Secret | undefined): Reply<HttpAnswer> {
  if (!answer.ok || token === undefined || token.bytes.byteLength < minBytes) return answer
  const { bytes } = answer.value
  for (let at = bytes.indexOf(token.bytes); at >= 0; at = bytes.indexOf(token.bytes, at))
    bytes.fill('*', at, at + token.bytes.byteLength)
  return answer
}

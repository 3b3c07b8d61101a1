import { operations } from '../contract/operations.js'
import { get } from './get.js'
import { direct, type Route } from './route.js'

const deadlineMs = 30_000

/**
 * Asks a site what time it is, without a token: in milliseconds since 1970 and whole seconds, by the clock of whoever
 * answers; `undefined` where nobody does, or without a date.
 */
export async function readSiteDate(
  url: string,
  signal: AbortSignal,
  route: Route = direct,
): Promise<number | undefined> {
  const answer = await get({ url, path: `${operations.root.path}?f=json`, route, deadlineMs, signal })
  return answer.ok ? answer.value.answeredAtMs : undefined
}

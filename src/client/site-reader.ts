import { operations } from '../contract/operations.js'
import { emulatorHeader } from '../contract/responses.js'
import { isUnreadFor, type Observation, type Readable, type SiteSettings } from '../plan/observation.js'
import type { Secret } from '../secrets/secret.js'
import { noToken, retryWithNewToken, type TokenProvider, type TokenTerms } from '../secrets/token-provider.js'
import { get } from './connection.js'
import { decodeRoot } from './decode-root.js'
import { type Reply, type ServiceFailure, toFailure } from './failure.js'
import type { GetRequest, Line } from './message.js'
import { readSettings } from './read-settings.js'
import { boundSum, redactDeep, redactObservation } from './redact/redacted.js'
import { noSecrets, redactOnly, redactorFor } from './redact/redactor.js'
import { direct, type Redaction, type Redactor, type Route } from './route.js'
import type { SiteReader } from './site-client.js'
import { asksToSignIn, isTokenRejection, withToken } from './site-token.js'

/** A read of a site: its date, its state with the stages (`observe`), or one of its settings. */
const deadlinesMs = { date: 30_000, observe: 30_000, settings: 10_000 } as const
const maxSettingBytes = 256 * 1024

/** Creates a client that can only read. Sends the token only to this URL, in a header. */
export function siteReader(
  url: string,
  provideToken: TokenProvider = noToken,
  route: Route = direct,
  line?: Line,
): SiteReader {
  const poll = async (token: Secret | undefined, limits: Limits): Promise<Reply<Observation>> => {
    const answer = await get({
      url,
      path: operations.root.path,
      token,
      route,
      line,
      answerHeader: emulatorHeader,
      ...limits,
    })
    if (!answer.ok) return answer
    const root = decodeRoot(answer.value)
    const seen = root.ok ? root : toFailure(toPollFailure(root.error))
    return token === undefined ? seen : redactObservation(seen, redactOnly(redactorFor([token])))
  }
  let asksForToken = false
  const observe = async (signal: AbortSignal) => {
    const limits = { deadlineMs: deadlinesMs.observe, signal }
    const seen = await poll(undefined, limits)
    if (seen.ok || !(seen.error.kind === 'unauthorized' || asksToSignIn(seen.error))) return seen
    asksForToken = true
    const again = async (token: Secret | undefined, terms?: TokenTerms) => {
      if (token !== undefined) return poll(token, limits)
      return terms?.mayCome ? seen : markTokenless(seen)
    }
    return withToken(provideToken, again, failure => isTokenRejection(failure) || asksToSignIn(failure))
  }
  const readWith = async (token: Secret | undefined, signal: AbortSignal) => {
    const limits = { deadlineMs: deadlinesMs.settings, maxAnswerBytes: maxSettingBytes, signal }
    const reported = await readSettings({
      hasToken: token !== undefined,
      get: at => get({ url, ...at, token, route, ...limits }),
    })
    return redactSettings(reported, redactorFor(token === undefined ? [] : [token]))
  }
  // Do not sign in unless the site asks for a token.
  const settings = async (signal: AbortSignal) => {
    const wasRejected = (reported: SiteSettings) => isUnreadFor('not-allowed', reported)
    const read = (token: Secret | undefined) => readWith(token, signal)
    if (asksForToken) return retryWithNewToken(provideToken, { with: read, wasRejected })
    const atHand: TokenProvider = use => provideToken(use, 'at-hand')
    const seen = await retryWithNewToken(atHand, { with: read, wasRejected })
    if (!isUnreadFor('no-token', seen)) return seen
    const again = async (token: Secret | undefined) => (token === undefined ? seen : read(token))
    return retryWithNewToken(provideToken, { with: again, wasRejected })
  }
  return {
    async observe(signal) {
      const seen = await observe(signal)
      return redactObservation(seen, await createRouteRedaction(route, seen))
    },
    settings: async signal =>
      redactSettings(await settings(signal), (await createRouteRedaction(route)).redact),
  }
}

function markTokenless(seen: Reply<Observation>): Reply<Observation> {
  return seen.ok || seen.error.kind !== 'unauthorized' || seen.error.cause === 'proxy-account'
    ? seen
    : toFailure({ ...seen.error, isTokenless: true })
}

/** Converts a 404 at the root resource, in any form and from any sender: the resource does not exist. */
function toPollFailure(failure: ServiceFailure): ServiceFailure {
  if ((failure.kind !== 'refused' && failure.kind !== 'not-understood') || failure.status >= 500)
    return failure
  const isMissing = failure.status === 404 || ('code' in failure && failure.code === 404)
  if (!isMissing) return failure
  const { status } = failure
  const server = failure.kind === 'not-understood' && failure.server ? { server: failure.server } : {}
  // A page comes from something in front of the site, which may not be up yet.
  if (failure.kind === 'not-understood' && failure.reason === 'not-a-json-object')
    return { kind: 'not-found', status, ...server }
  return {
    kind: 'not-found',
    status,
    ...server,
    ...('message' in failure && failure.message !== undefined && { message: failure.message }),
    ...('details' in failure && failure.details !== undefined && { details: failure.details }),
  }
}

/** Creates the redaction of a route. Reads no secret if nothing came from the site. */
export async function createRouteRedaction(route: Route, reply?: Reply<unknown>): Promise<Redaction> {
  const isSilent = reply?.ok === false && ['not-sent', 'no-answer'].includes(reply.error.kind)
  return (isSilent ? undefined : await route.redaction?.()) ?? redactOnly(noSecrets)
}

/**
 * Omits settings that repeat a secret. Settings are compared, kept in plans and sent back, so a part of one cannot be
 * redacted. Profiles need no check: their names are documented ones.
 */
function redactSettings(settings: SiteSettings, redact: Redactor): SiteSettings {
  const { profile, availability, performance, ...others } = settings
  const entries = Object.entries(others).map(([name, one]) => [name, redactSetting(one, redact)])
  return { ...settings, ...Object.fromEntries(entries) }
}

function redactSetting(setting: Readable<unknown>, redact: Redactor): Readable<unknown> {
  if (setting.kind === 'unreadable') return setting
  const redacted = redactDeep(setting.value, boundSum(redactOnly(redact)).redact)
  const isClean = JSON.stringify(redacted) === JSON.stringify(setting.value)
  return isClean ? setting : { kind: 'unreadable', because: 'not-understood' }
}

type Limits = Pick<GetRequest, 'deadlineMs' | 'maxAnswerBytes' | 'signal'>

/**
 * Reads the time of a site without a token, in milliseconds since 1970 and whole seconds; `undefined` without a response or a
 * date in it.
 */
export async function readSiteDate(
  url: string,
  signal: AbortSignal,
  route: Route = direct,
): Promise<number | undefined> {
  const { path } = operations.root
  const answer = await get({ url, path, route, deadlineMs: deadlinesMs.date, signal })
  return answer.ok ? answer.value.answeredAtMs : undefined
}

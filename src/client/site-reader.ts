import { operations } from '../contract/operations.js'
import type { Observation, Readable, SiteSettings } from '../plan/observation.js'
import type { Secret } from '../secrets/secret.js'
import { noToken, renewing, type TokenLoan } from '../secrets/token-loan.js'
import { bearer } from './bearer.js'
import { decodeRoot } from './decode-root.js'
import { failed, type Reply, type ServiceFailure } from './failure.js'
import { get } from './get.js'
import type { GetRequest } from './message.js'
import { readSettings } from './read-settings.js'
import { redactedDeep, redactedObservation } from './redact/redacted.js'
import { noSecrets, redactorFor } from './redact/redactor.js'
import { direct, type Redactor, type Route } from './route.js'
import type { Line, SiteReader } from './site-client.js'
import { asksToSignIn, isTokenRefusal, withToken } from './with-token.js'
import { withoutToken } from './without-token.js'

const deadlinesMs = { observe: 30_000, settings: 10_000 } as const
const mostSettingBytes = 256 * 1024

/** A client that can only look. The token goes nowhere but to this address, and in no part of it. */
export function siteReader(url: string, lendToken: TokenLoan = noToken, route: Route = direct): SiteReader {
  const read = async (path: string, token: Secret | undefined, { line, ...limits }: Limits) => {
    const authorization = token && bearer(token)
    const request = { url, path: `${path}?f=json`, route, ...limits, ...(authorization && { authorization }) }
    const answer = await (line ?? { get }).get(request)
    return withoutToken(answer, token)
  }
  const look = async (token: Secret | undefined, limits: Limits): Promise<Reply<Observation>> => {
    const answer = await read(operations.root.path, token, limits)
    if (!answer.ok) return answer
    const root = decodeRoot(answer.value)
    const seen = root.ok ? root : failed(lookFailure(root.error))
    return token === undefined ? seen : redactedObservation(seen, redactorFor([token]))
  }
  const observe = async (signal: AbortSignal, line?: Line) => {
    const limits = { deadlineMs: deadlinesMs.observe, signal, ...(line && { line }) }
    const seen = await look(undefined, limits)
    if (seen.ok || !(seen.error.kind === 'unauthorized' || asksToSignIn(seen.error))) return seen
    const again = async (token: Secret | undefined) => (token === undefined ? seen : look(token, limits))
    return withToken(lendToken, again, failure => isTokenRefusal(failure) || asksToSignIn(failure))
  }
  const settings = (signal: AbortSignal) =>
    renewing(lendToken, {
      async with(token) {
        const limits = { deadlineMs: deadlinesMs.settings, mostAnswerBytes: mostSettingBytes, signal }
        const told = await readSettings({
          hasToken: token !== undefined,
          get: path => read(path, token, limits),
        })
        return settingsWithoutSecrets(told, redactorFor(token === undefined ? [] : [token]))
      },
      wasRefused: told =>
        Object.values(told).some(one => one.kind === 'unreadable' && one.because === 'not-allowed'),
    })
  return {
    async observe(...how) {
      const seen = await observe(...how)
      return redactedObservation(seen, await redactorOf(route, seen))
    },
    settings: async signal => settingsWithoutSecrets(await settings(signal), await redactorOf(route)),
  }
}

/** A 404 where the root resource should be says that it is not there, whoever says so in whatever form. */
function lookFailure(failure: ServiceFailure): ServiceFailure {
  if ((failure.kind !== 'refused' && failure.kind !== 'not-understood') || failure.status >= 500)
    return failure
  const isMissing = failure.status === 404 || ('code' in failure && failure.code === 404)
  if (!isMissing) return failure
  const { status } = failure
  return {
    kind: 'not-found',
    status,
    ...('message' in failure && failure.message !== undefined && { message: failure.message }),
    ...('details' in failure && failure.details !== undefined && { details: failure.details }),
  }
}

/** The redactor of a route; no secret is read where nothing came of the site. */
export async function redactorOf({ redactor }: Route, reply?: Reply<unknown>): Promise<Redactor> {
  const isSilent = reply?.ok === false && ['not-sent', 'no-answer'].includes(reply.error.kind)
  return (isSilent ? undefined : await redactor?.()) ?? noSecrets
}

/**
 * Settings without those that repeat a secret: what is read is compared, kept in plans and sent back, so that no part of one
 * can be replaced. The name of a profile is a documented one.
 */
function settingsWithoutSecrets({ profile, ...others }: SiteSettings, redact: Redactor): SiteSettings {
  const entries = Object.entries(others).map(([name, one]) => [name, withoutSecret(one, redact)])
  return { ...(Object.fromEntries(entries) as Omit<SiteSettings, 'profile'>), profile }
}

function withoutSecret(setting: Readable<unknown>, redact: Redactor): Readable<unknown> {
  if (setting.kind === 'unreadable') return setting
  const isClean = JSON.stringify(redactedDeep(setting.value, redact)) === JSON.stringify(setting.value)
  return isClean ? setting : { kind: 'unreadable', because: 'not-understood' }
}

interface Limits extends Pick<GetRequest, 'deadlineMs' | 'mostAnswerBytes' | 'signal'> {
  readonly line?: Line
}

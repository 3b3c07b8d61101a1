import type { Readable } from '../plan/observation.js'
import type { JsonObject } from '../schema/json-schema.js'
import { retryWithNewToken, type TokenProvider } from '../secrets/token-provider.js'
import { get } from './connection.js'
import { readSetting } from './read-settings.js'
import { redactDeep } from './redact/redacted.js'
import { redactorFor } from './redact/redactor.js'
import type { Route } from './route.js'
import { formatBearer } from './site-token.js'

/** Reads the JSON object at a path below the base URL, or the reason that it is unreadable. Sends only GET. */
export type SiteExplorer = (path: string, signal: AbortSignal) => Promise<Readable<JsonObject>>

const deadlineMs = 10_000
const maxAnswerBytes = 1024 * 1024

/** A reader of resources whose structure is not documented; the token goes nowhere but to this address. */
export function siteExplorer(url: string, provideToken: TokenProvider, route: Route): SiteExplorer {
  return (path, signal) =>
    retryWithNewToken<Readable<JsonObject>>(provideToken, {
      async with(token) {
        const authorization = token && formatBearer(token)
        const limits = { route, deadlineMs, maxAnswerBytes, signal, ...(authorization && { authorization }) }
        const requests = {
          hasToken: token !== undefined,
          get: (at: string) => get({ url, path: `${at}?f=json`, ...limits }),
        }
        const read = await readSetting(requests, path, body => body)
        if (read.kind === 'unreadable' || token === undefined) return read
        return { kind: 'read', value: redactDeep(read.value, redactorFor([token])) }
      },
      wasRejected: one => one.kind === 'unreadable' && one.because === 'not-allowed',
    })
}

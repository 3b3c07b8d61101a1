import { randomBytes } from 'node:crypto'
import { operations } from '../contract/operations.js'
import type { Organization } from '../manifest/manifest.js'
import type { Observation, SiteSettings } from '../plan/observation.js'
import type { Secrets } from '../secrets/resolve.js'
import type { Secret } from '../secrets/secret.js'
import { noToken, type TokenLoan } from '../secrets/token-loan.js'
import { bearer } from './bearer.js'
import { decode } from './decode.js'
import { observationOf } from './decode-root.js'
import type { Reply } from './failure.js'
import { type HttpRequest, send } from './http.js'
import { readSettings } from './read-settings.js'
import { configureParts } from './wire/configure-parts.js'
import { encodeForm } from './wire/form.js'
import { type Body, encodeMultipart } from './wire/multipart.js'
import { type UpdateRequest, updateFields } from './wire/update-fields.js'
import { withoutToken } from './without-token.js'

/** What commands that only look may do with a site. */
export interface SiteReader {
  /** Reads the root resource: without a token, and once more with it where the site asks for one. Service §2.3. */
  observe(signal: AbortSignal): Promise<Reply<Observation>>
  /** Reads what a ready site tells beside it, with the token if there is one (public sources). */
  settings(signal: AbortSignal): Promise<SiteSettings>
}

/** What an apply may do with a site. No call is ever repeated here. */
export interface SiteWriter extends SiteReader {
  /** Submits the configuration; the answer tells how it began. Service §4.3. */
  configure(organization: Organization, secrets: Secrets, signal: AbortSignal): Promise<Reply<Observation>>
  /** Replaces the upgrade configuration. Service §4.4. */
  update(request: UpdateRequest, token: Secret | undefined, signal: AbortSignal): Promise<Reply<void>>
}

const deadlinesMs = { observe: 30_000, settings: 10_000, configure: 15 * 60_000, update: 60_000 } as const
const mostSettingBytes = 256 * 1024

/** A client that can only look. The token goes nowhere but to this address, and in no part of it. */
export function siteReader(url: string, lendToken: TokenLoan = noToken): SiteReader {
  const get = async (path: string, token: Secret | undefined, limits: Limits) => {
    const authorization = token && bearer(token)
    const request = { method: 'GET', url, path: `${path}?f=json`, ...limits } as const
    const answer = await send(authorization === undefined ? request : { ...request, authorization })
    return withoutToken(answer, token)
  }
  const look = async (token: Secret | undefined, signal: AbortSignal): Promise<Reply<Observation>> => {
    const answer = await get(operations.root.path, token, { deadlineMs: deadlinesMs.observe, signal })
    if (!answer.ok) return answer
    const root = decode('root', answer.value)
    return root.ok ? { ok: true, value: observationOf(root.value) } : root
  }
  return {
    async observe(signal) {
      const seen = await look(undefined, signal)
      if (seen.ok || seen.failure.kind !== 'unauthorized') return seen
      return lendToken(async token => (token === undefined ? seen : look(token, signal)))
    },
    settings: signal =>
      lendToken(token => {
        const limits = { deadlineMs: deadlinesMs.settings, mostAnswerBytes: mostSettingBytes, signal }
        return readSettings({ hasToken: token !== undefined, get: path => get(path, token, limits) })
      }),
  }
}

type Limits = Pick<HttpRequest, 'deadlineMs' | 'mostAnswerBytes' | 'signal'>

/** A client that can also write. */
export function siteWriter(url: string, lendToken: TokenLoan = noToken): SiteWriter {
  const post = async (operation: 'configure' | 'update', body: Body, signal: AbortSignal) => {
    const { method, path } = operations[operation]
    try {
      return await send({ method, url, path, body, deadlineMs: deadlinesMs[operation], signal })
    } finally {
      body.bytes.fill(0)
    }
  }
  return {
    ...siteReader(url, lendToken),
    async configure(organization, secrets, signal) {
      const parts = configureParts(organization, pointer => {
        const secret = secrets.get(pointer)
        if (secret === undefined) throw new Error(`not resolved: ${pointer}`)
        return secret
      })
      const body = encodeMultipart(parts, `----${randomBytes(24).toString('hex')}`)
      // The body has copies. What was resolved belongs to its caller; what was made from it here does not.
      const lent = new Set([...secrets.values()].map(({ bytes }) => bytes))
      for (const { value } of parts) if (!lent.has(value)) value.fill(0)
      const answer = await post('configure', body, signal)
      if (!answer.ok) return answer
      const root = decode('root', answer.value)
      return root.ok ? { ok: true, value: observationOf(root.value) } : root
    },
    async update(request, token, signal) {
      const answer = withoutToken(
        await post('update', encodeForm(updateFields(request, token)), signal),
        token,
      )
      if (!answer.ok) return answer
      const done = decode('done', answer.value)
      return done.ok ? { ok: true, value: undefined } : done
    },
  }
}

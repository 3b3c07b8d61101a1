import { randomBytes } from 'node:crypto'
import { operations } from '../contract/operations.js'
import type { Organization } from '../manifest/manifest.js'
import type { Observation } from '../plan/observation.js'
import type { Secrets } from '../secrets/resolve.js'
import type { Secret } from '../secrets/secret.js'
import { noToken, type TokenLoan } from '../secrets/token-loan.js'
import { decode } from './decode.js'
import { observationOf } from './decode-root.js'
import type { Reply } from './failure.js'
import { send } from './http.js'
import { type SiteReader, siteReader } from './site-reader.js'
import { configureParts } from './wire/configure-parts.js'
import { encodeForm } from './wire/form.js'
import { type Body, encodeMultipart } from './wire/multipart.js'
import { type UpdateRequest, updateFields } from './wire/update-fields.js'
import { withoutToken } from './without-token.js'

/** What an apply may do with a site. No call is ever repeated here. */
export interface SiteWriter extends SiteReader {
  /** Submits the configuration; the answer tells how it began. Service §4.3. */
  configure(organization: Organization, secrets: Secrets, signal: AbortSignal): Promise<Reply<Observation>>
  /** Replaces the upgrade configuration. Service §4.4. */
  update(request: UpdateRequest, token: Secret | undefined, signal: AbortSignal): Promise<Reply<void>>
}

const deadlinesMs = { configure: 15 * 60_000, update: 60_000 } as const

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

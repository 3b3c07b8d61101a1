import { randomBytes } from 'node:crypto'
import { operations } from '../contract/operations.js'
import type { Organization } from '../manifest/manifest.js'
import type { Observation } from '../plan/observation.js'
import type { Secrets } from '../secrets/secret.js'
import { noToken, type TokenLoan } from '../secrets/token-loan.js'
import { type Call, openCall } from './call.js'
import { decode } from './decode.js'
import { decodeRoot } from './decode-root.js'
import { failed, type Reply } from './failure.js'
import { send } from './http.js'
import type { HttpAnswer, PiecedBody } from './message.js'
import { redactedObservation, redactedReply } from './redact/redacted.js'
import { noSecrets, redactorFor, redactorForAll } from './redact/redactor.js'
import { direct, type Redactor, type Route } from './route.js'
import type { ConfigureCall, SiteWriter } from './site-client.js'
import { redactorOf, siteReader } from './site-reader.js'
import { configureParts } from './wire/configure-parts.js'
import { encodeForm } from './wire/form.js'
import { type Gathered, gathered } from './wire/gathered.js'
import { multipartPieces, multipartType } from './wire/multipart.js'
import { updateFields } from './wire/update-fields.js'

const deadlinesMs = { connect: 30_000, configure: 15 * 60_000, update: 60_000 } as const

/** A client that can also write. */
export function siteWriter(url: string, lendToken: TokenLoan = noToken, route: Route = direct): SiteWriter {
  const reader = siteReader(url, lendToken, route)
  // A later answer may repeat the secrets, too.
  let redactSent: Redactor = noSecrets
  const sent = async (secrets: Secrets): Promise<Redactor> => {
    redactSent = redactorForAll(secrets)
    const redact = await redactorOf(route)
    return text => redact(redactSent(text))
  }
  return {
    ...reader,
    observe: async (...how) => redactedObservation(await reader.observe(...how), redactSent),
    async openConfigure(organization, secrets, signal) {
      const body = configureBody(organization, secrets)
      const opened = await openCall(url, { deadlineMs: deadlinesMs.connect, signal }, route)
      if (opened.ok)
        return {
          ok: true,
          value: configureCall({ url, call: opened.value, body, sent: () => sent(secrets) }),
        }
      body.wipe()
      return redactedReply(opened, await redactorOf(route, opened))
    },
    async update(request, token, signal) {
      const { method, path } = operations.update
      const body = encodeForm(updateFields(request, token))
      const withoutToken = redactorFor(token === undefined ? [] : [token])
      const sending = send({ method, url, path, body, deadlineMs: deadlinesMs.update, signal, route })
      const answer = await sending.finally(() => body.bytes.fill(0))
      const done = answer.ok ? decode('done', answer.value) : answer
      if (done.ok) return { ok: true, value: undefined }
      const redact = await redactorOf(route, done)
      return redactedReply(done, text => redact(redactSent(withoutToken(text))))
    },
  }
}

interface Ready {
  readonly url: string
  readonly call: Call
  readonly body: PiecedBody & Gathered
  /** Called after an answer; returns the redactor for what the body was made with. */
  readonly sent: () => Promise<Redactor>
}

function configureCall({ url, call, body, sent }: Ready): ConfigureCall {
  let isSpent = false
  const discard = () => {
    isSpent = true
    body.wipe()
    call.close()
  }
  return {
    deadlineMs: deadlinesMs.configure,
    discard,
    async send(signal) {
      if (isSpent) throw new Error('sent or discarded before')
      isSpent = true
      const { method, path } = operations.configure
      const allowed = { deadlineMs: deadlinesMs.configure, signal }
      const answer = await call.send({ method, url, path, body }, allowed).finally(discard)
      const redact = await sent()
      return redactedObservation(answer.ok ? acceptedIn(answer.value) : answer, redact)
    },
  }
}

/** The root resource in the answer to `configure`; one that shows no configuration does not say that there will be one. */
function acceptedIn(answer: HttpAnswer): Reply<Observation> {
  const root = decodeRoot(answer)
  if (!root.ok || root.value.kind !== 'not-configured') return root
  return failed({ kind: 'not-understood', status: answer.status, reason: 'no-configuration' })
}

function configureBody(organization: Organization, secrets: Secrets): PiecedBody & Gathered {
  const parts = configureParts(organization, pointer => {
    const secret = secrets.get(pointer)
    if (secret === undefined) throw new Error(`not resolved: ${pointer}`)
    return secret
  })
  const boundary = `----${randomBytes(24).toString('hex')}`
  // What was resolved belongs to its caller; what was made from it here does not, and the body has copies.
  const lent = new Set([...secrets.values()].map(({ bytes }) => bytes))
  const body = gathered(multipartPieces(parts, boundary), lent)
  for (const { value } of parts) if (!lent.has(value)) value.fill(0)
  return { contentType: multipartType(boundary), ...body }
}

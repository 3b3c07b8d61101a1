import { randomBytes } from 'node:crypto'
import { operations } from '../contract/operations.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import type { Organization } from '../manifest/manifest.js'
import type { Observation } from '../plan/observation.js'
import { licensePointer } from '../secrets/needed-references.js'
import { Secret } from '../secrets/secret.js'
import { findSecret, type SecretsToSend } from '../secrets/secret-file.js'
import { noToken, type TokenProvider } from '../secrets/token-provider.js'
import { type Connection, open, send } from './connection.js'
import { decode } from './decode.js'
import { decodeRoot } from './decode-root.js'
import { type Reply, toFailure } from './failure.js'
import { withDeadline } from './limit.js'
import type { HttpAnswer, PiecedBody } from './message.js'
import { redactFailure, redactObservation, redactReply } from './redact/redacted.js'
import { noSecrets, redactorFor, redactorForAll } from './redact/redactor.js'
import { direct, type Redactor, type Route } from './route.js'
import type { ConfigureCall, SiteWriter } from './site-client.js'
import { createRouteRedactor, siteReader } from './site-reader.js'
import { validateLicense } from './validate-license.js'
import { type BodyPieces, collectPieces } from './wire/body-pieces.js'
import { buildConfigureParts } from './wire/configure-parts.js'
import { encodeForm } from './wire/form.js'
import { buildMultipartPieces, formatMultipartType } from './wire/multipart.js'
import { buildUpdateFields } from './wire/update-fields.js'

const deadlinesMs = { connect: 30_000, configure: 15 * 60_000, update: 60_000 } as const

/** A client that can also write. */
export function siteWriter(
  url: string,
  provideToken: TokenProvider = noToken,
  route: Route = direct,
): SiteWriter {
  const reader = siteReader(url, provideToken, route)
  // A later answer may also repeat the secrets.
  let redactSent: Redactor = noSecrets
  const prepareRedactor = async (secrets: SecretsToSend): Promise<Redactor> => {
    redactSent = redactorForAll(secrets)
    const redact = await createRouteRedactor(route)
    return text => redact(redactSent(text))
  }
  return {
    ...reader,
    observe: async signal => redactObservation(await reader.observe(signal), redactSent),
    async validateLicense(secrets, limits) {
      const license = secrets.get(licensePointer)
      if (license === undefined) return { kind: 'silent' }
      const answer = await validateLicense({ url, license, route, ...limits })
      const redact = await prepareRedactor(secrets)
      if (answer.kind === 'refused')
        return { kind: 'refused', failure: redactFailure(answer.failure, redact) }
      return answer.kind === 'valid' ? { kind: 'valid', userTypes: answer.userTypes.map(redact) } : answer
    },
    async openConfigure(organization, secrets, signal) {
      const body = buildConfigureBody(organization, secrets)
      const opened = await withDeadline(deadlinesMs.connect, signal, limit => open(url, limit, route))
      if (opened.ok)
        return {
          ok: true,
          value: createConfigureCall({
            url,
            connection: opened.value,
            body,
            createRedactor: () => prepareRedactor(secrets),
          }),
        }
      body.wipe()
      return redactReply(opened, await createRouteRedactor(route, opened))
    },
    async update(request, token, signal) {
      const { method, path } = operations.update
      const body = encodeForm(buildUpdateFields(request, token))
      const withoutToken = redactorFor(token === undefined ? [] : [token])
      const sending = send({ method, url, path, body, deadlineMs: deadlinesMs.update, signal, route })
      const answer = await sending.finally(() => body.bytes.fill(0))
      const done = answer.ok ? decode('done', answer.value) : answer
      if (done.ok) return { ok: true, value: undefined }
      const redact = await createRouteRedactor(route, done)
      return redactReply(done, text => redact(redactSent(withoutToken(text))))
    },
  }
}

interface PreparedCall {
  readonly url: string
  readonly connection: Connection
  readonly body: PiecedBody & BodyPieces
  /** Called after an answer; returns the redactor for the values in the body. */
  readonly createRedactor: () => Promise<Redactor>
}

function createConfigureCall({ url, connection, body, createRedactor }: PreparedCall): ConfigureCall {
  let isSpent = false
  const discard = () => {
    isSpent = true
    body.wipe()
    connection.close()
  }
  return {
    deadlineMs: deadlinesMs.configure,
    discard,
    async send(signal) {
      if (isSpent) throw new Error('sent or discarded before')
      isSpent = true
      const { method, path } = operations.configure
      const sending = withDeadline(deadlinesMs.configure, signal, limit =>
        connection.send({ method, url, path, body }, limit),
      )
      const answer = await sending.finally(discard)
      const redact = await createRedactor()
      return redactObservation(answer.ok ? parseAccepted(answer.value) : answer, redact)
    },
  }
}

/** The root resource in the answer to `configure`; one that shows no configuration does not say that there will be one. */
function parseAccepted(answer: HttpAnswer): Reply<Observation> {
  const root = decodeRoot(answer)
  if (!root.ok || root.value.kind !== 'not-configured') return root
  return toFailure({ kind: 'not-understood', status: answer.status, reason: 'no-configuration' })
}

function buildConfigureBody(organization: Organization, secrets: SecretsToSend): PiecedBody & BodyPieces {
  const contents = new Map(
    [...secrets].map(([pointer, one]) => [pointer, one instanceof Secret ? one.bytes : one]),
  )
  const parts = buildConfigureParts(
    organization,
    pointer => findSecret(secrets, pointer) ?? missing(pointer),
    pointer => contents.get(pointer) ?? missing(pointer),
  )
  const boundary = `----${randomBytes(24).toString('hex')}`
  // The caller owns the values that it resolved; values made here are ours to wipe, and the body has copies.
  const provided = new Set(contents.values())
  const body = collectPieces(buildMultipartPieces(parts, boundary), provided)
  for (const { value } of parts) if (Buffer.isBuffer(value) && !provided.has(value)) value.fill(0)
  return { contentType: formatMultipartType(boundary), ...body }
}

function missing(pointer: JsonPointer): never {
  throw new Error(`not resolved: ${pointer}`)
}

import { licenseValidation } from '../contract/field-notes.js'
import { operations } from '../contract/operations.js'
import type { Organization } from '../manifest/manifest.js'
import type { Observation } from '../plan/observation.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import type { JsonPointer } from '../schema/pointer.js'
import { licensePointer } from '../secrets/needed-references.js'
import { findSecret, Secret, type SecretFile, type SecretsToSend } from '../secrets/secret.js'
import { noToken, type TokenProvider } from '../secrets/token-provider.js'
import { createLine, send } from './connection.js'
import { decode, decodeObject } from './decode.js'
import { decodeRoot } from './decode-root.js'
import { isForeignAnswer, type Reply, type ServiceFailure, toFailure } from './failure.js'
import { withDeadline } from './limit.js'
import type { HttpAnswer, HttpRequest, Line } from './message.js'
import { redactFailure, redactObservation, redactReply, redactWords } from './redact/redacted.js'
import { noSecrets, redactAlso, redactionFor, redactOnly, redactorFor } from './redact/redactor.js'
import { direct, type Redaction, type Route } from './route.js'
import type { ConfigureCall, LicenseAnswer, SiteReader, SiteWriter } from './site-client.js'
import { createRouteRedaction, siteReader } from './site-reader.js'
import { buildConfigureParts } from './wire/configure-parts.js'
import { encodeForm } from './wire/form.js'
import { buildUpdateFields } from './wire/form-requests.js'
import { encodeMultipart, type MultipartBody, type MultipartPart, type PartOfBody } from './wire/multipart.js'

/** A write to a site, which may answer `configure` after minutes. */
const deadlinesMs = { configure: 15 * 60_000, update: 60_000 } as const

/** Creates a client that can also write. */
export function siteWriter(
  url: string,
  provideToken: TokenProvider = noToken,
  route: Route = direct,
): SiteWriter {
  const reader = siteReader(url, provideToken, route)
  // Later responses may also repeat these secrets.
  let sent = redactOnly(noSecrets)
  const prepareRedaction = async (secrets: SecretsToSend): Promise<Redaction> => {
    sent = redactionFor(secrets)
    return redactAlso(await createRouteRedaction(route), sent)
  }
  const observe = async (from: SiteReader, signal: AbortSignal) =>
    redactObservation(await from.observe(signal), sent)
  return {
    ...reader,
    observe: signal => observe(reader, signal),
    async validateLicense(secrets, limits) {
      const license = secrets.get(licensePointer)
      if (license === undefined) return { kind: 'silent' }
      const answer = await validateLicense({ url, license, route, ...limits })
      const redaction = await prepareRedaction(secrets)
      if (answer.kind === 'silent') return answer
      return answer.kind === 'valid'
        ? { kind: 'valid', userTypes: redactWords(answer.userTypes, redaction) }
        : { ...answer, failure: redactFailure(answer.failure, redaction) }
    },
    async openConfigure(organization, secrets, signal) {
      const line = createLine(url, route)
      const seen = await observe(siteReader(url, provideToken, route, line), signal)
      if (!seen.ok) {
        line.close()
        return seen
      }
      const body = buildConfigureBody(organization, secrets)
      const createRedaction = () => prepareRedaction(secrets)
      return {
        ok: true,
        value: { observed: seen.value, ...createConfigureCall({ url, line, body, createRedaction }) },
      }
    },
    async update(request, token, signal) {
      const { method, path } = operations.update
      const body = encodeForm(buildUpdateFields(request, token))
      const withoutToken = redactOnly(redactorFor(token === undefined ? [] : [token]))
      const call = { hasToken: token !== undefined, deadlineMs: deadlinesMs.update, signal, route }
      const sending = send({ method, url, path, body, ...call })
      const answer = await sending.finally(() => body.bytes.fill(0))
      const done = answer.ok ? decode('done', answer.value) : answer
      if (done.ok) return { ok: true, value: undefined }
      const known = redactAlso(await createRouteRedaction(route, done), sent)
      return redactReply(done, redactAlso(known, withoutToken))
    },
  }
}

interface PreparedCall {
  readonly url: string
  readonly line: Line
  readonly body: MultipartBody
  /** Called after the response. Also redacts the values in the body. */
  readonly createRedaction: () => Promise<Redaction>
}

function createConfigureCall({
  url,
  line,
  body,
  createRedaction,
}: PreparedCall): Omit<ConfigureCall, 'observed'> {
  let isSpent = false
  const discard = () => {
    isSpent = true
    body.wipe()
    line.close()
  }
  return {
    deadlineMs: deadlinesMs.configure,
    discard,
    async send(signal, on) {
      if (isSpent) throw new Error('sent or discarded before')
      isSpent = true
      const { method, path } = operations.configure
      const sending = withDeadline(deadlinesMs.configure, signal, limit =>
        line[on === undefined ? 'send' : 'sendAnew']({ method, url, path, body }, limit),
      )
      const answer = await sending.finally(discard)
      return redactObservation(answer.ok ? parseAccepted(answer.value) : answer, await createRedaction())
    },
  }
}

/** Parses the root resource in the response to `configure`, which must show that a configuration has begun. */
function parseAccepted(answer: HttpAnswer): Reply<Observation> {
  const root = decodeRoot(answer)
  if (!root.ok || root.value.kind !== 'not-configured') return root
  return toFailure({ kind: 'not-understood', status: answer.status, reason: 'no-configuration' })
}

function buildConfigureBody(organization: Organization, secrets: SecretsToSend): MultipartBody {
  const contents = new Map(
    [...secrets].map(([pointer, one]) => [pointer, one instanceof Secret ? one.bytes : one]),
  )
  const parts = buildConfigureParts(
    organization,
    pointer => findSecret(secrets, pointer) ?? missing(pointer),
    pointer => contents.get(pointer) ?? missing(pointer),
  )
  // The caller wipes the values that it resolved. Those made here are wiped now, because the body has copies.
  const borrowed = new Set(contents.values())
  const body = encodeMultipart(parts, borrowed)
  for (const { value } of parts) if (Buffer.isBuffer(value) && !borrowed.has(value)) value.fill(0)
  return body
}

function missing(pointer: JsonPointer): never {
  throw new Error(`not resolved: ${pointer}`)
}

/** Has the service check a license, once, without a token. Changes nothing there. Public sources. */
async function validateLicense({
  license,
  ...request
}: Pick<HttpRequest, 'url' | 'route' | 'deadlineMs' | 'signal'> & {
  readonly license: Secret | SecretFile
}): Promise<LicenseAnswer> {
  const content = license instanceof Secret ? license.bytes : license
  const parts: readonly MultipartPart<PartOfBody>[] = [
    { kind: 'file', name: 'file', fileName: 'license.json', value: content },
    { kind: 'text', name: 'listAdministratorUserTypes', value: Buffer.from('true') },
    { kind: 'text', name: 'f', value: Buffer.from('json') },
  ]
  const body = encodeMultipart(parts, new Set([content]))
  const sending = send({ ...request, method: 'POST', path: licenseValidation, body })
  const answer = await sending.finally(body.wipe)
  if (!answer.ok) return { kind: 'silent' }
  const decoded = decodeObject(answer.value)
  if (!decoded.ok) return judgeFailure(decoded.error)
  const userTypes = parseUserTypes(decoded.value)
  return userTypes.length === 0 ? { kind: 'silent' } : { kind: 'valid', userTypes }
}

/**
 * Judges a failed check. An error body about the license is a rejection. Something in front of the service that blocks the
 * check would also block `configure`. A site without the check reports a missing resource.
 */
function judgeFailure(failure: ServiceFailure): LicenseAnswer {
  if (isForeignAnswer(failure))
    return isGone(failure.status) ? { kind: 'silent' } : { kind: 'blocked', failure }
  if (failure.kind !== 'refused') return { kind: 'silent' }
  const { status, code } = failure
  const isAbout = (status < 300 || status === 400 || status === 422) && !isGone(code) && code !== 405
  return isAbout ? { kind: 'refused', failure } : { kind: 'silent' }
}

const isGone = (status: number | undefined) => status === 404 || status === 410

/** A longer list is ignored, so that no response fills an event. */
const maxUserTypes = 100

function parseUserTypes({ MyEsri: license }: JsonObject): readonly string[] {
  const definitions = isObject(license) ? license['definitions'] : undefined
  const userTypes: JsonValue | undefined = isObject(definitions) ? definitions['userTypes'] : undefined
  if (!Array.isArray(userTypes) || userTypes.length > maxUserTypes) return []
  const ids = (userTypes as readonly JsonValue[]).map(type => (isObject(type) ? type['id'] : undefined))
  // A list with unknown entries proves nothing about missing ones.
  return ids.every(id => typeof id === 'string') ? ids : []
}

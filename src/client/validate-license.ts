import { randomBytes } from 'node:crypto'
import { licenseValidation } from '../contract/field-operations.js'
import { isObject, type JsonObject, type JsonValue } from '../schema/json-schema.js'
import { Secret } from '../secrets/secret.js'
import type { SecretFile } from '../secrets/secret-file.js'
import { send } from './connection.js'
import { decodeObject } from './decode.js'
import type { ServiceFailure } from './failure.js'
import type { Route } from './route.js'
import type { LicenseAnswer } from './site-client.js'
import { collectPieces } from './wire/body-pieces.js'
import {
  buildMultipartPieces,
  formatMultipartType,
  type MultipartPart,
  type PartOfBody,
} from './wire/multipart.js'

export interface LicenseRequest {
  readonly url: string
  readonly license: Secret | SecretFile
  readonly route: Route
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

/** Asks the service whether it takes a license, once and without a token. Changes nothing there. Public sources. */
export async function validateLicense({ license, ...request }: LicenseRequest): Promise<LicenseAnswer> {
  const content = license instanceof Secret ? license.bytes : license
  const parts: readonly MultipartPart<PartOfBody>[] = [
    { kind: 'file', name: 'file', fileName: 'license.json', value: content },
    { kind: 'text', name: 'listAdministratorUserTypes', value: Buffer.from('true') },
    { kind: 'text', name: 'f', value: Buffer.from('json') },
  ]
  const boundary = `----${randomBytes(24).toString('hex')}`
  const { pieces, wipe } = collectPieces(buildMultipartPieces(parts, boundary), new Set([content]))
  const body = { contentType: formatMultipartType(boundary), pieces }
  const sending = send({ ...request, method: 'POST', path: licenseValidation, body })
  const answer = await sending.finally(wipe)
  if (!answer.ok) return { kind: 'silent' }
  const decoded = decodeObject(answer.value)
  if (!decoded.ok)
    return isRefusal(decoded.error) ? { kind: 'refused', failure: decoded.error } : { kind: 'silent' }
  const userTypes = parseUserTypes(decoded.value)
  return userTypes.length === 0 ? { kind: 'silent' } : { kind: 'valid', userTypes }
}

/** True for an error body about the request; one about a missing resource comes from a site without the check. */
function isRefusal(failure: ServiceFailure): boolean {
  if (failure.kind !== 'refused') return false
  const { status, code } = failure
  return (status < 300 || status === 400 || status === 422) && !noResource.includes(code)
}

const noResource: readonly (number | undefined)[] = [404, 405, 410]

/** More are not compared, so that an answer cannot fill an event. */
const maxUserTypes = 100

function parseUserTypes({ MyEsri: license }: JsonObject): readonly string[] {
  const definitions = isObject(license) ? license['definitions'] : undefined
  const userTypes: JsonValue | undefined = isObject(definitions) ? definitions['userTypes'] : undefined
  if (!Array.isArray(userTypes) || userTypes.length > maxUserTypes) return []
  const ids = (userTypes as readonly JsonValue[]).map(type => (isObject(type) ? type['id'] : undefined))
  // A list with unknown entries proves nothing about missing ones.
  return ids.every(id => typeof id === 'string') ? ids : []
}

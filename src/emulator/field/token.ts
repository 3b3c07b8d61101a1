import { createHmac, scryptSync, timingSafeEqual } from 'node:crypto'
import {
  portalStage,
  tokenClients,
  tokenErrorCodes,
  tokenMinutes,
  tokenRequired,
} from '../../contract/field-notes.js'
import { buildErrorBody, buildResponse, rejectRequest } from '../service/answers.js'
import type { EmulatorJsonObject } from '../service/json.js'
import type { ServiceRequest } from '../service/request.js'
import { isReady, isThrough } from '../service/site-state.js'
import type { Handler, World } from '../service/world.js'
import type { Administrator } from './field-world.js'

/** Issues a token that contains its expiry and is signed with the key of its world, so no token needs to be stored. */
function issueToken(key: string, expires: number): string {
  const end = expires.toString(36)
  return `${end}.${createHmac('sha256', key).update(`token ${end}`).digest('base64url')}`
}

/** Reads the token from the body, from the query of a GET, or from the bearer header. All three are reported. */
export function readToken(request: ServiceRequest): string | undefined {
  return readTexts(request).get('token') || request.bearer || undefined
}

/** True once everything but `configure` and the token service needs a token. */
export function isSecured(world: World, now: number): boolean {
  const { securityFrom } = world.field
  return securityFrom !== 'never' && isThrough(world, now, securityFrom)
}

/** Checks the token of a request; returns the reported error body if it is missing or invalid. */
export function checkIssuedToken(
  world: World,
  request: ServiceRequest,
  now: number,
): EmulatorJsonObject | undefined {
  if (!isSecured(world, now)) return undefined
  const token = readToken(request)
  if (token === undefined) return buildErrorBody(tokenErrorCodes.required, tokenRequired)
  if (world.field.anyToken || token === world.token || isIssued(world.field.key, token, now)) return undefined
  // The message is not reported.
  return buildErrorBody(tokenErrorCodes.invalid, 'The token is not valid or has expired.')
}

function isIssued(key: string, token: string, now: number): boolean {
  const expires = Number.parseInt(token, 36)
  return expires > now && token === issueToken(key, expires)
}

/**
 * Issues a token to the administrator. Reported: the request, the three fields of the answer, the lifetimes, and that no
 * token is issued while the portal starts. Not reported: the messages and codes of errors.
 *
 * A token that is bound to a referer is also valid without one, as clients in production show.
 */
export const generateToken: Handler = (world, request, now) => {
  const { key, accounts } = world.field
  // The account of a site that was configured long ago is unknown: the first to sign in becomes its administrator.
  const { administrator = accounts === undefined ? readAdministrator(request, key) : undefined } = world.field
  if (!isThrough(world, now, portalStage))
    return rejectRequest(world, request, { code: 503, message: 'The portal is still starting.' })
  if (request.body.encoding !== 'form')
    return rejectRequest(world, request, { message: 'The body must be form-encoded.' })
  const texts = readTexts(request)
  const clients: readonly string[] = tokenClients
  if (!clients.includes(texts.get('client') ?? tokenClients[0]))
    return rejectRequest(world, request, { message: `client must be one of ${clients.join(', ')}.` })
  const minutes = texts.get('expiration') ?? String(tokenMinutes.usual)
  if (!/^[1-9]\d*$/.test(minutes))
    return rejectRequest(world, request, { message: 'expiration must be a number of minutes.' })
  const isKnown =
    (administrator !== undefined &&
      administrator.username !== '' &&
      isAdministrator(administrator, request)) ||
    accounts?.[texts.get('username') ?? ''] === (texts.get('password') ?? '')
  if (!isKnown || (accounts !== undefined && !isReady(world, now)))
    return rejectRequest(world, request, { message: 'The user name or the password is wrong.' })
  const expires = Math.round(now) + Math.min(Number(minutes), tokenMinutes.max) * 60_000
  const signedIn = { ...world, field: { ...world.field, ...(administrator && { administrator }) } }
  return [signedIn, buildResponse(request, { token: issueToken(key, expires), expires, ssl: true })]
}

/** Issues a token to any account. With document fidelity any text is a valid token, unless options set one. Service §5. */
export const generateAnyToken: Handler = (world, request, now) => {
  const texts = readTexts(request)
  if (request.method !== 'POST' || !texts.get('username') || !texts.get('password'))
    return rejectRequest(world, request, { message: 'username and password are required.' })
  const expires = Math.round(now) + tokenMinutes.usual * 60_000
  const token = world.token ?? issueToken(world.field.key, expires)
  return [world, buildResponse(request, { token, expires, ssl: true })]
}

/** Reads the administrator from a `configure` request. Service §4.3. */
export function readAdministrator(request: ServiceRequest, key: string): Administrator {
  const texts = readTexts(request)
  const salt = createHmac('sha256', key).update('salt').digest('hex')
  return {
    username: texts.get('username') ?? '',
    salt,
    digest: computePasswordDigest(texts.get('password') ?? '', salt).toString('hex'),
  }
}

/** True if a request has the name and the password of the administrator. */
function isAdministrator(administrator: Administrator, request: ServiceRequest): boolean {
  const texts = readTexts(request)
  const digest = computePasswordDigest(texts.get('password') ?? '', administrator.salt)
  const known = timingSafeEqual(digest, Buffer.from(administrator.digest, 'hex'))
  return known && texts.get('username') === administrator.username
}

// Some ten milliseconds: slow enough against guessing, and fast enough for thousands of sites.
function computePasswordDigest(password: string, salt: string): Buffer {
  return scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 })
}

/** Reads the text parameters of a request; of repeated ones, the first. Ignores unknown names, as reported elsewhere. */
function readTexts({ method, query, body }: ServiceRequest): ReadonlyMap<string, string> {
  const parts = method === 'GET' ? query : body.parts
  const texts = new Map<string, string>()
  for (const part of parts) if (part.kind === 'text' && !texts.has(part.name)) texts.set(part.name, part.text)
  return texts
}

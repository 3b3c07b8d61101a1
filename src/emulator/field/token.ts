import { createHmac } from 'node:crypto'
import { tokenErrorCodes } from '../../contract/field-notes.js'
import { portalStage, tokenClients, tokenMinutes, tokenRequired } from '../../contract/field-operations.js'
import { answer, errorBody, refuse } from '../service/answers.js'
import type { JsonObject } from '../service/json.js'
import type { ServiceRequest } from '../service/request.js'
import { isThrough } from '../service/site-state.js'
import type { Handler, World } from '../service/world.js'
import { isFrom } from './administrator.js'
import { textsOf } from './texts.js'

/** A token that says when it ends and that only its world can have made, so that none has to be remembered. */
export function tokenUntil(key: string, expires: number): string {
  const end = expires.toString(36)
  return `${end}.${createHmac('sha256', key).update(`token ${end}`).digest('base64url')}`
}

/** The token of a request: in the body, for GET in the address, or as a bearer. Reported: all three. */
export function tokenOf(request: ServiceRequest): string | undefined {
  return textsOf(request).get('token') || request.bearer || undefined
}

/** True once everything but `configure` and the token service asks for a token. */
export function isSecured(world: World, now: number): boolean {
  const { securityFrom } = world.field
  return securityFrom !== 'never' && isThrough(world, now, securityFrom)
}

/** The error body for a request without a token or with one that does not count, as reported. */
export function tokenError(world: World, request: ServiceRequest, now: number): JsonObject | undefined {
  if (!isSecured(world, now)) return undefined
  const token = tokenOf(request)
  if (token === undefined) return errorBody(tokenErrorCodes.required, tokenRequired)
  if (world.field.anyToken || token === world.token || isIssued(world.field.key, token, now)) return undefined
  // The words are not reported.
  return errorBody(tokenErrorCodes.invalid, 'The token is not valid or has expired.')
}

function isIssued(key: string, token: string, now: number): boolean {
  const expires = Number.parseInt(token, 36)
  return expires > now && token === tokenUntil(key, expires)
}

/**
 * Gives the administrator a token. Reported: how it is asked for, the three fields of the answer, the lives, and that
 * nothing is given while the portal starts; the words and codes of refusals are not.
 *
 * A token that is bound to a referer also counts without one, as clients in production show.
 */
export const generateToken: Handler = (world, request, now) => {
  const { administrator, key } = world.field
  if (!isThrough(world, now, portalStage))
    return refuse(world, request, { code: 503, message: 'The portal is still starting.' })
  if (request.body.encoding !== 'form')
    return refuse(world, request, { message: 'The body must be form-encoded.' })
  const texts = textsOf(request)
  const clients: readonly string[] = tokenClients
  if (!clients.includes(texts.get('client') ?? tokenClients[0]))
    return refuse(world, request, { message: `client must be one of ${clients.join(', ')}.` })
  const minutes = texts.get('expiration') ?? String(tokenMinutes.usual)
  if (!/^[1-9]\d*$/.test(minutes))
    return refuse(world, request, { message: 'expiration must be a number of minutes.' })
  if (administrator === undefined || !isFrom(administrator, request))
    return refuse(world, request, { message: 'The user name or the password is wrong.' })
  const expires = Math.round(now) + Math.min(Number(minutes), tokenMinutes.most) * 60_000
  return [world, answer(request, { token: tokenUntil(key, expires), expires, ssl: true })]
}

import { createHmac } from 'node:crypto'
import { tokenErrorCodes } from '../../contract/field-notes.js'
import { tokenRequired } from '../../contract/field-operations.js'
import { errorBody } from '../service/answers.js'
import type { JsonObject } from '../service/json.js'
import type { ServiceRequest } from '../service/request.js'
import { isThrough } from '../service/site-state.js'
import type { World } from '../service/world.js'
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

import { portalStage, tokenClients, tokenMinutes } from '../../contract/field-operations.js'
import { answer, refuse } from '../service/answers.js'
import { isThrough } from '../service/site-state.js'
import type { Handler } from '../service/world.js'
import { isFrom } from './administrator.js'
import { textsOf } from './texts.js'
import { tokenUntil } from './token.js'

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

import type { Parameters } from './parameters.js'
import type { World } from './world.js'

/**
 * Checks the token of a request. Service §5.2.
 *
 * It is not documented how a token is obtained and what makes one valid, so any text is valid unless one was chosen.
 */
export function checkToken(world: World, { values }: Parameters): string | undefined {
  const accepted = world.token === undefined || values.get('token') === world.token
  return accepted ? undefined : 'The token is not valid.'
}

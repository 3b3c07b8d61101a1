import type { Parameters } from './parameters.js'
import type { World } from './world.js'

/**
 * What is wrong with the token of a request. Service §5.2.
 *
 * How a token is obtained and what makes one valid is not shown, so any text will do unless one was chosen.
 */
export function tokenProblem(world: World, { values }: Parameters): string | undefined {
  const accepted = world.token === undefined || values.get('token') === world.token
  return accepted ? undefined : 'The token is not valid.'
}

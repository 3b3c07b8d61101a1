import { buildResponse, rejectRequest } from './answers.js'
import { readParameters } from './parameters.js'
import { buildRootBody } from './root-answer.js'
import type { Handler } from './world.js'

/** Reports the progress of the configuration; changes nothing. Service §2.3. */
export const root: Handler = (world, request, now) => {
  const reading = readParameters(world.version, request, { operation: 'root', checks: {} })
  if (!reading.ok) return rejectRequest(world, request, { message: reading.error })
  return [world, buildResponse(request, buildRootBody(world, now))]
}

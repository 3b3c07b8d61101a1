import { volumesWrapper } from '../../contract/field-row.js'
import { compareQuantities } from '../../contract/kubernetes.js'
import { buildResponse, buildSuccess, rejectRequest } from '../service/answers.js'
import { type EmulatorJsonObject, isObject, type Json, member, parseJson } from '../service/json.js'
import type { Handler, World } from '../service/world.js'

/**
 * Lists the volumes of a store. Only the path is reported; the answer has the structure of Service §2.4, with all
 * volumes in one store.
 */
export const listVolumes: Handler = (world, request) => [
  world,
  buildResponse(request, { [volumesWrapper]: readVolumes(world) }),
]

/**
 * Enlarges volumes. Reported: the path, and that sizes can only grow. The parameter and the answer are the emulator's
 * own.
 */
export const editVolumes: Handler = (world, request) => {
  const { configuration } = world
  const part = request.body.parts.find(one => one.kind === 'text' && one.name === volumesWrapper)
  const sent = member(part?.kind === 'text' ? parseJson(part.text) : undefined, volumesWrapper)
  if (configuration === undefined || !Array.isArray(sent))
    return rejectRequest(world, request, { message: `${volumesWrapper} is required.` })
  const sizes = new Map(sent.map(one => [member(one, 'component'), member(one, 'size')]))
  const volumes = readVolumes(world)
  const wrong = [...sizes].find(([component, size]) => {
    const volume = volumes.find(one => member(one, 'component') === component)
    return volume === undefined || (compareQuantities(String(size), String(member(volume, 'size'))) ?? -1) < 0
  })
  if (wrong !== undefined)
    return rejectRequest(world, request, { message: `${String(wrong[0])} can only be enlarged.` })
  const enlarged = volumes.map(one =>
    isObject(one) ? { ...one, size: sizes.get(member(one, 'component')) ?? one['size'] ?? null } : one,
  )
  const parameters = { ...configuration.parameters, [volumesWrapper]: { [volumesWrapper]: enlarged } }
  return [{ ...world, configuration: { ...configuration, parameters } }, buildSuccess(request)]
}

function readVolumes({ configuration }: World): readonly Json[] {
  const parameters: EmulatorJsonObject = configuration?.parameters ?? {}
  const volumes = member(parameters, volumesWrapper, volumesWrapper)
  return Array.isArray(volumes) ? volumes : []
}

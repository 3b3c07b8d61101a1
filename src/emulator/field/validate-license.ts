import { userTypeRecords } from '../../contract/field-operations.js'
import { buildResponse, rejectRequest } from '../service/answers.js'
import type { ServiceRequest } from '../service/request.js'
import type { Handler } from '../service/world.js'

/**
 * Validates a license before anything is configured. Reported: the request, the error body, and the shape of the answer
 * without `listAdministratorUserTypes`. The shape with it is not known, so both get the same answer.
 */
export const validateLicense: Handler = (world, request) => {
  const refusal =
    world.field.licenseRefusal ?? (hasLicense(request) ? undefined : 'The license is not valid.')
  if (refusal !== undefined) return rejectRequest(world, request, { message: refusal })
  const definitions = { userTypes: userTypeRecords }
  return [world, buildResponse(request, { MyEsri: { version: world.version, definitions } })]
}

/** Which content makes a license valid is not reported, so that any is; older versions have other forms than JSON. */
function hasLicense({ body }: ServiceRequest): boolean {
  return body.parts.some(part => part.name === 'file' && part.kind === 'file' && part.bytes.length > 0)
}

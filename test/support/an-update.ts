import type { UpdateRequest } from '../../src/client/wire/form-requests.js'
import type { PodPlacementPolicy } from '../../src/manifest/manifest.js'
import type { JsonObject } from '../../src/schema/json-schema.js'

/** The request that sets a policy where nothing is known of the site. */
export function anUpdate(policy: PodPlacementPolicy): UpdateRequest {
  return { upgradeConfig: { podPlacementPolicy: policy as unknown as JsonObject } }
}

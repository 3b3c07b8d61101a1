import type { PodPlacementPolicy } from '../../manifest/manifest.js'
import { isObject, type JsonObject } from '../../schema/json-schema.js'
import type { SiteSettings } from '../observation.js'

const policyKey = 'podPlacementPolicy'
const managedKeys = ['nodeAffinity', 'tolerations'] as const satisfies readonly (keyof PodPlacementPolicy)[]

/** Finds the placement policy that a site reports, reduced to the fields of a manifest; `undefined` for none. */
export function findLivePolicy({ upgradeConfig }: SiteSettings): JsonObject | undefined {
  if (upgradeConfig.kind !== 'read') return undefined
  const { nodeAffinity, tolerations } = selectPolicy(upgradeConfig.value)
  return { nodeAffinity: nodeAffinity ?? {}, tolerations: tolerations ?? [] }
}

/**
 * Merges a policy into the upgrade configuration that the site reports, so that no other key of it is lost. `kept`
 * lists the paths of the reported keys that no manifest has.
 */
export function mergeUpgradeConfig(
  policy: PodPlacementPolicy,
  { upgradeConfig }: SiteSettings,
): { readonly upgradeConfig: JsonObject; readonly kept: readonly string[] } {
  const live = upgradeConfig.kind === 'read' ? upgradeConfig.value : {}
  const managed: readonly string[] = managedKeys
  return {
    upgradeConfig: { ...live, [policyKey]: { ...selectPolicy(live), ...policy } },
    kept: [
      ...Object.keys(live).filter(key => key !== policyKey),
      ...Object.keys(selectPolicy(live))
        .filter(key => !managed.includes(key))
        .map(key => `${policyKey}.${key}`),
    ],
  }
}

function selectPolicy(config: JsonObject): JsonObject {
  const policy = config[policyKey]
  return isObject(policy) ? policy : {}
}

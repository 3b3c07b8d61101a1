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

/** Selects the part of a reported upgrade configuration that a manifest has no fields for. */
export function selectOtherSettings({ upgradeConfig }: SiteSettings): JsonObject {
  return upgradeConfig.kind === 'read' ? omitPolicy(upgradeConfig.value) : {}
}

/** Omits the policy of a manifest from an upgrade configuration. */
export function omitPolicy(config: JsonObject): JsonObject {
  const managed: readonly string[] = managedKeys
  const others = Object.entries(selectPolicy(config)).filter(([key]) => !managed.includes(key))
  return Object.fromEntries([
    ...Object.entries(config).filter(([key]) => key !== policyKey),
    ...(others.length > 0 ? [[policyKey, Object.fromEntries(others)] as const] : []),
  ])
}

/** Merges a policy into the other settings of a site, so that none of them is lost: the body of `update`. */
export function mergeUpgradeConfig(policy: PodPlacementPolicy, others: JsonObject): JsonObject {
  return { ...others, [policyKey]: { ...selectPolicy(others), ...policy } }
}

/** Lists the paths of the other settings of a site. */
export function listOtherPaths(others: JsonObject): readonly string[] {
  return [
    ...Object.keys(others).filter(key => key !== policyKey),
    ...Object.keys(selectPolicy(others)).map(key => `${policyKey}.${key}`),
  ]
}

function selectPolicy(config: JsonObject): JsonObject {
  const policy = config[policyKey]
  return isObject(policy) ? policy : {}
}

import { findIntroduction, type ServiceVersion } from './versions.js'

/** The two kinds of node affinity; the first is a requirement, the second a preference. Service §2.7, §4.4. */
export const affinityKinds = {
  requiredDuringSchedulingIgnoredDuringExecution: 'A node must match these rules.',
  preferredDuringSchedulingIgnoredDuringExecution:
    'A node should match these rules, which are a preference and no requirement.',
} as const

export type AffinityKind = keyof typeof affinityKinds
export const demand = 'requiredDuringSchedulingIgnoredDuringExecution' satisfies AffinityKind
export const preference = 'preferredDuringSchedulingIgnoredDuringExecution' satisfies AffinityKind

/** The fields of one preference in the form of Kubernetes; the document writes it like a requirement. Kubernetes. */
export const preferredTermFields = {
  weight: 'The preference has this weight, from 1 to 100.',
  preference: 'A node should match this term.',
} as const

/** The operators of a match expression; the first two compare with `values`. Service §2.7. */
export const matchOperatorMeanings = {
  In: 'The node has the label, with one of the values.',
  NotIn: 'The node does not have the label with one of the values.',
  Exists: 'The node has the label, with any value.',
  DoesNotExist: 'The node does not have the label.',
} as const
export const matchOperators = Object.keys(
  matchOperatorMeanings,
) as readonly (keyof typeof matchOperatorMeanings)[]
export const operatorsWithValues: readonly string[] = ['In', 'NotIn']
export const operatorsWithoutValues: readonly string[] = ['Exists', 'DoesNotExist']

/** The fields of one match expression. Service §2.7. */
export const matchExpressionFields = {
  key: 'The label of the node has this key.',
  operator: 'The label is compared in this way.',
  values:
    'The label is compared with these values: at least one with `In` and `NotIn`, none with the others.',
} as const

/** The effects and operators of a toleration. Service §2.7, §4.4 rule 3; Kubernetes, taints and tolerations. */
export const tolerationEffectMeanings = {
  NoExecute:
    'Without the toleration, running pods are evicted from the node and no pods are scheduled on it.',
  NoSchedule: 'Without the toleration, no pods are scheduled on the node; running pods stay.',
  PreferNoSchedule:
    'Without the toleration, pods are scheduled on the node only if no other node is available.',
} as const
export const tolerationEffects = Object.keys(
  tolerationEffectMeanings,
) as readonly (keyof typeof tolerationEffectMeanings)[]
export const tolerationOperatorMeanings = {
  Exists: 'Only the key is compared; there is no value.',
  Equal: 'Key, value and effect are compared.',
} as const
export const tolerationOperators = Object.keys(
  tolerationOperatorMeanings,
) as readonly (keyof typeof tolerationOperatorMeanings)[]

/** The default operator of a toleration. Kubernetes. */
export const usualTolerationOperator: (typeof tolerationOperators)[number] = 'Equal'

/** The toleration operator that compares only the key. Service §4.4 rule 3. */
export const operatorWithoutValue = 'Exists'

/** The fields of one toleration. Service §2.7, §4.4 rule 3. */
export const tolerationFields = {
  effect: 'The tolerated taint has this effect.',
  key: 'The taint has this key.',
  operator: '`Equal` compares key, value and effect; `Exists` compares only the key and has no value.',
  value: 'The taint has this value; only `Equal` compares it.',
} as const

/** Kubernetes fields at these places that the document does not show. Service §2.7. */
export const undocumentedPlacementFields: readonly string[] = ['matchFields', 'tolerationSeconds']

/** A way to place pods or to size their containers without a field of a manifest, and the version that introduced it. */
interface OtherSetting {
  readonly since: ServiceVersion
  readonly instead: string
}

/**
 * Settings of the service without a field in a manifest, by the names that people write, the newest way first (administrator
 * API reference, 12.0; deployment guides, 12.1).
 */
export const otherSettings: ReadonlyMap<string, readonly OtherSetting[]> = new Map([
  [
    'placementPolicies',
    [
      {
        since: '12.1',
        instead:
          '`configure` takes it since 12.1, and no public source names its parameter: once the `configure` page of the site shows it, send it by `spec.extra`; the pods of a store can be placed later by the operation `data/<id>/config/placementPolicy/edit` of the service',
      },
      {
        since: '12.0',
        instead:
          'remove it: the pods of a store are placed later, by the operation `data/<id>/config/placementPolicy/edit` of the service; those of upgrades by `spec.upgrade.podPlacementPolicy`',
      },
      {
        since: findIntroduction('update'),
        instead:
          'remove it: this version places only the pods of upgrades, by `spec.upgrade.podPlacementPolicy`',
      },
    ],
  ],
  [
    'containerResources',
    [
      {
        since: '12.0',
        instead:
          'remove it: the upgrade configuration has container resources since 12.0, in fields that no public source names; an apply keeps those of the site, and the operation `system/upgrades/config/update` of the service sets them',
      },
      {
        since: findIntroduction('update'),
        instead: 'remove it: the upgrade configuration has no container resources before 12.0',
      },
    ],
  ],
])

/** The fields of the placement policy. Service §2.7, §4.4. */
export const policyFields = {
  podPlacementPolicy: 'Upgrade and update pods are placed by this policy whenever an upgrade job is created.',
  nodeAffinity: 'It attracts the pods to nodes with matching labels, and may be empty.',
  tolerations: 'These allow the pods to run on nodes with matching taints.',
} as const

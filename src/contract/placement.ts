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
export const matchOperators = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const
export const matchOperatorMeanings: Readonly<Record<(typeof matchOperators)[number], string>> = {
  In: 'The node has the label, with one of the values.',
  NotIn: 'The node does not have the label with one of the values.',
  Exists: 'The node has the label, with any value.',
  DoesNotExist: 'The node does not have the label.',
}
export const operatorsWithValues: readonly string[] = ['In', 'NotIn']
export const operatorsWithoutValues: readonly string[] = ['Exists', 'DoesNotExist']

/** The fields of one match expression. Service §2.7. */
export const matchExpressionFields = {
  key: 'The label of the node has this key.',
  operator: 'The label is compared in this way.',
  values:
    'The label is compared with these values: at least one with `In` and `NotIn`, none with the others.',
} as const

/** The values of a toleration. Service §2.7. */
export const tolerationEffects = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'] as const
export const tolerationOperators = ['Exists', 'Equal'] as const

/** The meanings of effects and operators. Kubernetes, taints and tolerations; Service §4.4 rule 3. */
export const tolerationEffectMeanings: Readonly<Record<(typeof tolerationEffects)[number], string>> = {
  NoExecute:
    'Without the toleration, running pods are evicted from the node and no pods are scheduled on it.',
  NoSchedule: 'Without the toleration, no pods are scheduled on the node; running pods stay.',
  PreferNoSchedule:
    'Without the toleration, pods are scheduled on the node only if no other node is available.',
}
export const tolerationOperatorMeanings: Readonly<Record<(typeof tolerationOperators)[number], string>> = {
  Exists: 'Only the key is compared; there is no value.',
  Equal: 'Key, value and effect are compared.',
}

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

/** The fields of the placement policy. Service §2.7, §4.4. */
export const policyFields = {
  podPlacementPolicy: 'Upgrade and update pods are placed by this policy whenever an upgrade job is created.',
  nodeAffinity: 'It attracts the pods to nodes with matching labels, and may be empty.',
  tolerations: 'These allow the pods to run on nodes with matching taints.',
} as const

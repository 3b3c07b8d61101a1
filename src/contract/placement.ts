/** The two kinds of node affinity; the first is a demand, the second a preference. Service §2.7, §4.4. */
export const affinityKinds = {
  requiredDuringSchedulingIgnoredDuringExecution: 'Rules that a node must match.',
  preferredDuringSchedulingIgnoredDuringExecution: 'Rules that a node should match; a preference, no demand.',
} as const

export type AffinityKind = keyof typeof affinityKinds
export const demand: AffinityKind = 'requiredDuringSchedulingIgnoredDuringExecution'
export const preference: AffinityKind = 'preferredDuringSchedulingIgnoredDuringExecution'

/** The operators of a match expression; the first two compare with `values`. Service §2.7. */
export const matchOperators = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const
export const matchOperatorMeanings: Readonly<Record<(typeof matchOperators)[number], string>> = {
  In: 'The node has the label, with one of the values.',
  NotIn: 'The node does not have the label with one of the values.',
  Exists: 'The node has the label, with whatever value.',
  DoesNotExist: 'The node does not have the label.',
}
export const operatorsWithValues: readonly string[] = ['In', 'NotIn']
export const operatorsWithoutValues: readonly string[] = ['Exists', 'DoesNotExist']

/** The fields of one match expression. Service §2.7. */
export const matchExpressionFields = {
  key: 'Key of the node label.',
  operator: 'How the label is compared.',
  values: 'Values that the label is compared with: at least one with `In` and `NotIn`, none with the others.',
} as const

/** What a toleration may say. Service §2.7. */
export const tolerationEffects = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'] as const
export const tolerationOperators = ['Exists', 'Equal'] as const

/** A toleration names the effects that taints have. Kubernetes. */
export const taintEffects = tolerationEffects
export type TaintEffect = (typeof taintEffects)[number]

/** What the effects and operators do. Kubernetes, taints and tolerations; Service §4.4 rule 3. */
export const tolerationEffectMeanings: Readonly<Record<(typeof tolerationEffects)[number], string>> = {
  NoExecute: 'Without the toleration pods leave the node, and none are put there.',
  NoSchedule: 'Without the toleration no pods are put on the node; those there stay.',
  PreferNoSchedule: 'Without the toleration pods are put on the node only where no other is left.',
}
export const tolerationOperatorMeanings: Readonly<Record<(typeof tolerationOperators)[number], string>> = {
  Exists: 'Only the key is compared; there is no value.',
  Equal: 'Key, value and effect are compared.',
}

/** What a toleration without an operator does. Kubernetes. */
export const usualTolerationOperator: (typeof tolerationOperators)[number] = 'Equal'

/** The toleration operator that looks at the key only. Service §4.4 rule 3. */
export const operatorWithoutValue = 'Exists'

/** The fields of one toleration. Service §2.7, §4.4 rule 3. */
export const tolerationFields = {
  effect: 'Effect of the taint that is tolerated.',
  key: 'Key of the taint.',
  operator: '`Equal` compares key, value and effect; `Exists` asks for the key only and carries no value.',
  value: 'Value of the taint; with `Equal` only.',
} as const

/** What Kubernetes has at these places and the document does not show. Service §2.7. */
export const undocumentedPlacementFields: readonly string[] = [
  'matchFields',
  'preference',
  'tolerationSeconds',
  'weight',
]

/** The fields of the placement policy. Service §2.7, §4.4. */
export const policyFields = {
  podPlacementPolicy:
    'Where the pods of upgrades and updates may run; used whenever an upgrade job is created.',
  nodeAffinity: 'Draws the pods to nodes whose labels match; may be empty.',
  tolerations: 'Lets the pods run on nodes with matching taints.',
} as const

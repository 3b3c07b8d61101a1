import { unschedulableTaintKey } from '../../contract/kubernetes.js'
import type { TaintEffect } from '../../contract/placement.js'
import type { PodPlacementPolicy } from '../../manifest/manifest.js'

/** A mark of a node that keeps pods off; `value` is empty where it has none. */
export interface Taint {
  readonly key: string
  readonly value: string
  readonly effect: TaintEffect
}

export type Toleration = PodPlacementPolicy['tolerations'][number]

/** A cordoned node acts as if it had this taint. Kubernetes, `spec.unschedulable`. */
export const cordon: Taint = { key: unschedulableTaintKey, value: '', effect: 'NoSchedule' }

/** True for a taint that keeps pods off that do not tolerate it; `PreferNoSchedule` does not. Kubernetes. */
export function refusesPods({ effect }: Taint): boolean {
  return effect !== 'PreferNoSchedule'
}

/** True where a toleration matches a taint, as the scheduler decides: an omitted part matches all. Kubernetes. */
export function tolerates(
  { key = '', operator = 'Equal', value = '', effect }: Toleration,
  taint: Taint,
): boolean {
  if (effect !== undefined && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  return operator === 'Exists' || value === taint.value
}

/**
 * True where a toleration matches a taint as the service document defines it: a key is always required, and an effect
 * with `Equal`. Service §4.4 rule 3.
 */
export function toleratesAsDocumented(toleration: Toleration, taint: Taint): boolean {
  const { key = '', operator = 'Equal', effect } = toleration
  return key !== '' && (operator === 'Exists' || effect !== undefined) && tolerates(toleration, taint)
}

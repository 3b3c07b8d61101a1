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
export const cordon: Taint = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' }

/** Whether a taint keeps pods off that do not tolerate it; the third effect only makes others preferred. Kubernetes. */
export function refusesPods({ effect }: Taint): boolean {
  return effect !== 'PreferNoSchedule'
}

/** Whether a toleration matches a taint, as the scheduler decides: what it does not name matches all. Kubernetes. */
export function tolerates(
  { key = '', operator = 'Equal', value = '', effect }: Toleration,
  taint: Taint,
): boolean {
  if (effect !== undefined && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  return operator === 'Exists' || value === taint.value
}

/** The same by the words of the service document, which wants a key always and an effect with `Equal`. Service §4.4 rule 3. */
export function toleratesAsDocumented(toleration: Toleration, taint: Taint): boolean {
  const { key = '', operator = 'Equal', effect } = toleration
  return key !== '' && (operator === 'Exists' || effect !== undefined) && tolerates(toleration, taint)
}

/** A taint as `kubectl describe` writes it. */
export function taintText({ key, value, effect }: Taint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`
}

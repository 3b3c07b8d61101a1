import { type Taint, type Toleration, toleratesAsDocumented } from './taint.js'

/** The tolerations of a policy applied to one taint. */
export interface TolerationMatch {
  /** Index of the first that tolerates it; -1 where none does. */
  readonly toleration: number
  /** True where one of them also does so by the rules of the service document. */
  readonly isDocumented: boolean
}

/** The key for a toleration that matches every effect, or every value. */
type Any = undefined
type Effects = Map<Toleration['effect'] | Any, number>
type Values = Map<string | Any, Effects>

/**
 * Builds a lookup of the toleration for a taint, with the result of `tolerates` but without trying each one: a cluster
 * may have a million taints, and a policy thousands of tolerations. Of those that match the same taints the first is
 * kept.
 */
export function buildTolerationTable(tolerations: readonly Toleration[]): (taint: Taint) => TolerationMatch {
  const byKey = new Map<string, Values>()
  for (const [index, { key = '', operator = 'Equal', value = '', effect }] of tolerations.entries()) {
    const effects = getOrAdd(getOrAdd(byKey, key), operator === 'Exists' ? undefined : value)
    if (!effects.has(effect)) effects.set(effect, index)
  }
  return taint => {
    const matching = ['', taint.key].flatMap(key =>
      [undefined, taint.value].flatMap(value => {
        const effects = byKey.get(key)?.get(value)
        return effects === undefined ? [] : [effects.get(undefined) ?? -1, effects.get(taint.effect) ?? -1]
      }),
    )
    const found = matching.filter(index => index >= 0)
    const isDocumented = (index: number) => {
      const toleration = tolerations[index]
      return toleration !== undefined && toleratesAsDocumented(toleration, taint)
    }
    return {
      toleration: found.length === 0 ? -1 : Math.min(...found),
      isDocumented: found.some(isDocumented),
    }
  }
}

function getOrAdd<K, A, B>(map: Map<K, Map<A, B>>, key: K): Map<A, B> {
  const known = map.get(key) ?? new Map<A, B>()
  map.set(key, known)
  return known
}

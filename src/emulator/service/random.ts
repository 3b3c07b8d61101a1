/**
 * Computes a pseudorandom number from 0 up to 1 from a seed and a name alone, without state, so that a world stays a
 * value and a run with the same seed is reproducible.
 */
export function computeFraction(seed: number, name: string): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** The unit suffixes of storage quantities and the bytes of one. Service §2.4; Kubernetes, which has the numbers. */
const bytesOf = {
  Ki: 2n ** 10n,
  Mi: 2n ** 20n,
  Gi: 2n ** 30n,
  Ti: 2n ** 40n,
  Pi: 2n ** 50n,
  Ei: 2n ** 60n,
  k: 10n ** 3n,
  M: 10n ** 6n,
  G: 10n ** 9n,
  T: 10n ** 12n,
  P: 10n ** 15n,
  E: 10n ** 18n,
} as const

export type StorageUnit = keyof typeof bytesOf

/** All of them; those below a byte, which Kubernetes has too, are none for storage. */
export const storageUnits = Object.keys(bytesOf) as readonly StorageUnit[]

/** The decimal places a quantity may have: Kubernetes keeps no more. */
const places = 9

/** A number and a unit: the form of Kubernetes without its signs, exponents and bare points. */
export const quantityForm = new RegExp(
  `^([0-9]{1,15})(?:[.]([0-9]{1,${places}}))?(${storageUnits.join('|')})$`,
)

/** A quantity of nothing, which no volume has. */
export const zeroForm = /^0[0.]*[^0-9.]*$/

/** No quantity is longer. */
export const quantityCharacters = 32

/**
 * The size that a storage quantity stands for, in billionths of a byte, so that fractions stay exact and equal
 * sizes are equal numbers: `16Gi` and `16384Mi` are. `undefined` for text that is none.
 */
export function parseQuantity(text: string): bigint | undefined {
  if (text.length > quantityCharacters) return undefined
  const known = parsed.get(text)
  if (known !== undefined) return known
  const [, whole = '', fraction = '', unit] = quantityForm.exec(text) ?? []
  if (unit === undefined) return undefined
  const quantity = BigInt(whole + fraction.padEnd(places, '0')) * bytesOf[unit as StorageUnit]
  if (parsed.size < mostParsed) parsed.set(text, quantity)
  return quantity
}

/** The same few sizes stand in every manifest, and several rules compare each. */
const parsed = new Map<string, bigint>()
const mostParsed = 500

/** Below, at or above zero as the first is smaller, equal or larger; `undefined` where one is no quantity. */
export function compareQuantities(one: string, other: string): -1 | 0 | 1 | undefined {
  const [left, right] = [parseQuantity(one), parseQuantity(other)]
  if (left === undefined || right === undefined) return undefined
  if (left === right) return 0
  return left < right ? -1 : 1
}

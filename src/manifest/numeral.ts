/** True if two notations are exactly the same number: decimal with or without an exponent, `0x…` or `0o…`. */
export function isSameNumber(left: string, right: string): boolean {
  const [a, b] = [parseDecimal(left), parseDecimal(right)]
  return a !== undefined && b !== undefined && a.digits === b.digits && a.exponent === b.exponent
}

/** `digits` × 10^`exponent`, without leading or trailing zeros; the digits include the sign. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

const decimal = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/

function parseDecimal(text: string): Decimal | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    decimal.exec(/^0[xo]/.test(text) ? BigInt(text).toString() : text) ?? []
  if (sign === undefined) return undefined
  const all = `${whole}${fraction}`
  const [from, to] = [findFirstDigit(all), findLastDigit(all)]
  if (from === to) return { digits: '0', exponent: 0 }
  return {
    digits: `${sign === '-' ? '-' : ''}${all.slice(from, to)}`,
    exponent: Number(exponent) - fraction.length + (all.length - to),
  }
}

function findFirstDigit(text: string): number {
  let at = 0
  while (text[at] === '0') at += 1
  return at
}

/** Finds the end of the digits without trailing zeros, at least the position of the first digit that is not zero. */
function findLastDigit(text: string): number {
  let end = text.length
  while (end > 0 && text[end - 1] === '0') end -= 1
  return Math.max(end, findFirstDigit(text))
}

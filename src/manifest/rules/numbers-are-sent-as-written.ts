import { diagnose } from '../../diagnostics/diagnostic.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { appendSegment, type JsonPointer } from '../../schema/pointer.js'
import { listMembers, selectAll } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** The places of arbitrary JSON values, which are sent unchanged. Service §4.3. */
const free = ['/spec/systemProperties', '/spec/extra']

/** A number is sent as it was written, or at least as the same number. Service §4.3. */
export const numbersAreSentAsWritten: Rule = function* ({ index, numeral }) {
  for (const { pointer, value: found } of selectAll(index, free))
    for (const { pointer: at, number } of findNumbers(found, pointer)) {
      const [written, sent] = [numeral(at), JSON.stringify(number)]
      if (written === undefined || written === sent) continue
      yield isSameNumber(written, sent)
        ? diagnose('manifest/number-respelled', at, { written, sent })
        : diagnose('manifest/number-loses-digits', at, { written, sent })
    }
}

interface NumberAt {
  readonly pointer: JsonPointer
  readonly number: number
}

function* findNumbers(value: JsonValue, pointer: JsonPointer): Generator<NumberAt> {
  if (typeof value === 'number') yield { pointer, number: value }
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of listMembers(value)) yield* findNumbers(member, appendSegment(pointer, key))
}

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

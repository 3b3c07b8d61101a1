import { diagnose } from '../../diagnostics/diagnostic.js'
import { appendSegment, type JsonPointer } from '../../diagnostics/pointer.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { listMembers } from '../../schema/member.js'
import { isSameNumber } from '../numeral.js'
import { selectAll } from '../select.js'
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

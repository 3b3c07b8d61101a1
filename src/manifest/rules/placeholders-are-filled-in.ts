import { diagnose } from '../../diagnostics/diagnostic.js'
import { appendSegment, type JsonPointer, splitPointer } from '../../diagnostics/pointer.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { listMembers } from '../../schema/member.js'
import { isSecretName } from '../may-be-secret.js'
import type { Rule } from './rule.js'

/** No text is a placeholder of `init`, or a variable that another tool would replace. */
export const placeholdersAreFilledIn: Rule = function* ({ value }) {
  for (const [pointer, text] of listTexts(value, '')) {
    const [found, variable] = /CHANGE-?ME|\$\{([A-Za-z_]\w*)\}/.exec(text) ?? []
    if (found === undefined || (variable !== undefined && isSentUnchecked(pointer))) continue
    // It may be the secret itself.
    const path = splitPointer(pointer)
    if (path.some(isSecretName) && !/^(?:env|file)$/.test(path.at(-1) ?? '')) continue
    yield diagnose('manifest/placeholder', pointer, { found, isVariable: variable !== undefined })
  }
}

function isSentUnchecked(pointer: JsonPointer): boolean {
  return /^\/spec\/(?:extra|systemProperties)\//.test(pointer)
}

function* listTexts(value: JsonValue, pointer: JsonPointer): Generator<[JsonPointer, string]> {
  if (typeof value === 'string') {
    if (/[$C]/.test(value)) yield [pointer, value]
  } else for (const [key, member] of listMembers(value)) yield* listTexts(member, appendSegment(pointer, key))
}

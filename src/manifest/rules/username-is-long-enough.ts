import { limits } from '../../contract/field-row.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { select } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** A user name has at least six characters. Service §4.3, §8. */
export const usernameIsLongEnough: Rule = function* ({ index }) {
  for (const { pointer, value: username } of select(index, '/spec/administrator/username'))
    if (typeof username === 'string' && [...username].length < limits.usernameCharacters)
      yield diagnose('administrator/username', pointer, {})
}

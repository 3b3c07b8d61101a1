import { emailForm } from '../../contract/field-row.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { select } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** `email` is one address. Service §4.3. */
export const emailIsAnAddress: Rule = function* ({ index }) {
  for (const { pointer, value: email } of select(index, '/spec/administrator/email'))
    if (typeof email === 'string' && !emailForm.test(email))
      yield diagnose('administrator/email', pointer, {})
}

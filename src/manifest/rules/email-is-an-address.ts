import { diagnose } from '../../diagnostics/diagnostic.js'
import { select } from '../select.js'
import type { Rule } from './rule.js'

const address = /^[^\s@<>"(),:;]+@[^\s@<>"(),:;.]+(?:\.[^\s@<>"(),:;.]+)*$/

/** `email` is one address; the check is loose, because the document shows no rule. Service §4.3. */
export const emailIsAnAddress: Rule = function* ({ index }) {
  for (const { pointer, value: email } of select(index, '/spec/administrator/email'))
    if (typeof email === 'string' && !address.test(email)) yield diagnose('administrator/email', pointer, {})
}

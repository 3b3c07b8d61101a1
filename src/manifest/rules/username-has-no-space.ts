import { diagnose } from '../../diagnostics/diagnostic.js'
import { select } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** A user name contains no space. Service §4.3. */
export const usernameHasNoSpace: Rule = function* ({ index }) {
  for (const { pointer, value: username } of select(index, '/spec/administrator/username'))
    if (typeof username === 'string' && /\s/.test(username))
      yield diagnose('administrator/username-space', pointer, {})
}

import { reportedUsernameSymbols } from '../../contract/field-notes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { select } from '../select.js'
import type { Rule } from './rule.js'

/** More than these help nobody to find them. */
const most = 5

/** A user name holds no symbol that public sources do not name; which the service allows is not shown. Service §4.3. */
export const usernameHasReportedSymbols: Rule = function* ({ value }) {
  for (const { pointer, value: username } of select(value, '/spec/administrator/username')) {
    if (typeof username !== 'string') continue
    const symbols = [...new Set(username)].filter(
      symbol => !/[A-Za-z0-9\s]/.test(symbol) && !reportedUsernameSymbols.includes(symbol),
    )
    if (symbols.length > 0)
      yield diagnose('administrator/username-symbols', pointer, { symbols: symbols.slice(0, most) })
  }
}

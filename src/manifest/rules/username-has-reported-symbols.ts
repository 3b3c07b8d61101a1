import { reportedUsernameSymbols } from '../../contract/field-notes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { select } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** More symbols would not help to find them. */
const maxSymbols = 5

/** A user name contains only symbols that public sources name; the document does not list them. Service §4.3. */
export const usernameHasReportedSymbols: Rule = function* ({ index }) {
  for (const { pointer, value: username } of select(index, '/spec/administrator/username')) {
    if (typeof username !== 'string') continue
    const symbols = [...new Set(username)].filter(
      symbol => !/[A-Za-z0-9\s]/.test(symbol) && !reportedUsernameSymbols.includes(symbol),
    )
    if (symbols.length > 0)
      yield diagnose('administrator/username-symbols', pointer, { symbols: symbols.slice(0, maxSymbols) })
  }
}

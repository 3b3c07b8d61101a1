import { diagnose } from '../../diagnostics/diagnostic.js'
import { select } from '../../schema/select.js'
import { describeLocation, insertName, parseDeclaredLocation } from '../state-location.js'
import type { Rule } from './rule.js'

/** The declared state location is valid. */
export const stateLocationIsUsable: Rule = function* ({ index }) {
  for (const { pointer, value: text } of select(index, '/spec/state')) {
    if (typeof text !== 'string' || text === '') continue
    // Any name works here: another rule checks `metadata.name`.
    const parsed = parseDeclaredLocation(insertName(text, 'name'))
    if (!parsed.ok)
      yield diagnose('state/location', pointer, { found: describeLocation(text), problem: parsed.error })
    else if (/[{}]/.test(text.replaceAll('{name}', '')))
      yield diagnose('state/location', pointer, {
        found: describeLocation(text),
        problem: 'contains a placeholder other than `{name}`',
      })
  }
}

import { diagnose } from '../../diagnostics/diagnostic.js'
import { select } from '../select.js'
import { locationInWords, parseDeclaredLocation } from '../state-location.js'
import type { Rule } from './rule.js'

/** The state of a site is declared where every run finds it. */
export const stateLocationIsUsable: Rule = function* ({ value }) {
  for (const { pointer, value: text } of select(value, '/spec/state')) {
    if (typeof text !== 'string' || text === '') continue
    // Any name will do: what it stands for is judged where it is declared.
    const parsed = parseDeclaredLocation(text, 'name')
    if (!parsed.ok)
      yield diagnose('state/location', pointer, { found: locationInWords(text), problem: parsed.error })
    else if (/[{}]/.test(text.replaceAll('{name}', '')))
      yield diagnose('state/location', pointer, {
        found: locationInWords(text),
        problem: 'has a placeholder that is not `{name}`',
      })
  }
}

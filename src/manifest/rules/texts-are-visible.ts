import { diagnose } from '../../diagnostics/diagnostic.js'
import { type JsonPointer, readLastSegment, readParent, splitPointer } from '../../diagnostics/pointer.js'
import { findHidden, findStray, mayHideCharacters } from '../hidden-characters.js'
import { mayBeSecret } from '../may-be-secret.js'
import { listTexts } from '../texts.js'
import type { Rule } from './rule.js'

/** No text has a character that nobody sees, or one that was copied along with it. */
export const textsAreVisible: Rule = function* ({ value }) {
  for (const [pointer, text] of listTexts(value, mayHideCharacters)) {
    if (mayBeSecret(splitPointer(pointer), text)) continue
    const field = readFieldName(pointer)
    const lines = mayHaveLines(pointer)
    const hidden = findHidden(text, { lines })
    if (hidden !== undefined) {
      yield diagnose('manifest/hidden-character', pointer, { field, ...hidden })
      continue
    }
    const stray = lines ? undefined : findStray(text)
    if (stray !== undefined) yield diagnose('manifest/stray-character', pointer, { field, ...stray })
  }
}

/** Texts of any length, and values that are sent as they are. */
function mayHaveLines(pointer: JsonPointer): boolean {
  return /^\/spec\/(?:administrator\/description$|extra\/|systemProperties\/)/.test(pointer)
}

/** The name of a field; for an element, the name of its list. */
function readFieldName(pointer: JsonPointer): string {
  const name = readLastSegment(pointer)
  return /^\d+$/.test(name) ? readLastSegment(readParent(pointer)) : name
}

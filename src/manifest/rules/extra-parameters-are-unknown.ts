import { fields } from '../../contract/fields.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { dotted, nameOf } from '../../diagnostics/pointer.js'
import { select } from '../select.js'
import type { Rule } from './rule.js'

/** `extra` holds only what has no home in the manifest, and says aloud that it is sent unchecked. */
export const extraParametersAreUnknown: Rule = function* ({ value }) {
  for (const { pointer } of select(value, '/spec/extra/*')) {
    const parameter = nameOf(pointer)
    yield isKnown(parameter)
      ? diagnose('extra/known-parameter', pointer, { parameter, home: homeOf(parameter) })
      : diagnose('extra/passed-through', pointer, { parameter })
  }
}

function isKnown(name: string): boolean {
  return name === 'f' || homeOf(name) !== undefined
}

function homeOf(name: string): string | undefined {
  const field = fields.find(field => field.name === name)
  return field && dotted(field.pointer)
}

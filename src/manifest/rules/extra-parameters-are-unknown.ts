import { serverLicensePart } from '../../contract/field-notes.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { nameOf } from '../../diagnostics/pointer.js'
import { homes } from '../../schema/homes.js'
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
  if (name === serverLicensePart) return 'spec.license.serverFile'
  const home = homes.find(({ parameter }) => parameter.name === name)
  return home?.pointer.slice(1).replaceAll('/', '.')
}

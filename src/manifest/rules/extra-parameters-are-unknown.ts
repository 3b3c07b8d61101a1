import { fields, knownParameters } from '../../contract/fields.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { formatDotted, type JsonPointer, readLastSegment } from '../../schema/pointer.js'
import { select } from '../../schema/select.js'
import { placeholder } from '../may-be-secret.js'
import type { Rule } from './rule.js'

/** No custom parameter has a field of its own in the manifest; those in `extra` are reported as unchecked. */
export const extraParametersAreUnknown: Rule = function* ({ index }) {
  for (const { pointer } of select(index, '/spec/extra/*')) {
    const parameter = readLastSegment(pointer)
    yield isKnown(parameter)
      ? diagnose('extra/known-parameter', pointer, {
          parameter,
          home: findParameterPath(parameter),
          under: 'extra',
        })
      : diagnose('extra/passed-through', pointer, { parameter })
  }
  const named = new Map<JsonValue, JsonPointer>()
  for (const { pointer, value: parameter } of select(index, '/spec/deploymentProfiles/*/parameter')) {
    if (typeof parameter !== 'string' || parameter === placeholder) continue
    const taken = named.get(parameter)
    const home = isKnown(parameter) ? findParameterPath(parameter) : taken && formatDotted(taken)
    if (isKnown(parameter) || taken !== undefined)
      yield diagnose('extra/known-parameter', pointer, { parameter, home, under: 'deploymentProfiles' })
    named.set(parameter, pointer)
  }
}

function isKnown(name: string): boolean {
  return knownParameters.includes(name)
}

function findParameterPath(name: string): string | undefined {
  const field = fields.find(field => field.name === name)
  return field && formatDotted(field.pointer)
}

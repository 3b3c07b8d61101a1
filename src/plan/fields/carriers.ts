import { serverLicensePart } from '../../contract/field-notes.js'
import { isBelow, type JsonPointer, segments } from '../../diagnostics/pointer.js'
import { homeAround, homes } from '../../schema/homes.js'

/** The request parameter by which a field reaches the service. */
export interface Carrier {
  readonly operation: 'configure' | 'update'
  readonly parameter: string
}

/** The parameters that carry a place of a manifest and what is in it; none for what the service never sees. */
export function carriersOf(pointer: JsonPointer): readonly Carrier[] {
  if (pointer === '/spec/license/serverFile')
    return [{ operation: 'configure', parameter: serverLicensePart }]
  const [, part, name] = segments(pointer)
  if (part === 'extra' && name !== undefined) return [{ operation: 'configure', parameter: name }]
  const around = homeAround(pointer)
  const inside = homes.filter(home => home.pointer !== pointer && isBelow(home.pointer, pointer))
  return [...(around ? [around] : []), ...inside].map(({ operation, parameter }) => ({
    operation,
    parameter: parameter.name,
  }))
}

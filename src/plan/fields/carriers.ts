import { isBelow, type JsonPointer, segments } from '../../diagnostics/pointer.js'
import { fieldAround, homes } from '../../schema/homes.js'

/** The request parameter by which a field reaches the service. */
export interface Carrier {
  readonly operation: 'configure' | 'update'
  readonly parameter: string
}

/** The parameters that carry a place of a manifest and what is in it; none for what the service never sees. */
export function carriersOf(pointer: JsonPointer): readonly Carrier[] {
  const [, part, name] = segments(pointer)
  if (part === 'extra' && name !== undefined) return [{ operation: 'configure', parameter: name }]
  const around = fieldAround(pointer)
  const inside = homes.filter(home => home.pointer !== pointer && isBelow(home.pointer, pointer))
  return [...(around ? [around] : []), ...inside].map(({ operation, parameter }) => ({
    operation,
    parameter: parameter.name,
  }))
}

import { isBelow, type JsonPointer, splitPointer } from '../../diagnostics/pointer.js'
import { findFieldAround, parameterPaths } from '../../schema/parameter-paths.js'

/** The request parameter that carries a field to the service. */
export interface RequestParameterPath {
  readonly operation: 'configure' | 'update'
  readonly parameter: string
}

/** Finds the parameters that carry a place of a manifest and the fields in it; none for fields that are never sent. */
export function findParameterPaths(pointer: JsonPointer): readonly RequestParameterPath[] {
  const [, part, name] = splitPointer(pointer)
  if (part === 'extra' && name !== undefined) return [{ operation: 'configure', parameter: name }]
  const around = findFieldAround(pointer)
  const inside = parameterPaths.filter(home => home.pointer !== pointer && isBelow(home.pointer, pointer))
  return [...(around ? [around] : []), ...inside].map(({ operation, parameter }) => ({
    operation,
    parameter: parameter.name,
  }))
}

import { isBelow, type JsonPointer, splitPointer } from '../../diagnostics/pointer.js'
import { findFieldAround, parameterPaths } from '../../schema/parameter-paths.js'

/** The request parameter by which a field reaches the service. */
export interface RequestParameterPath {
  readonly operation: 'configure' | 'update'
  readonly parameter: string
}

/** The parameters that carry a place of a manifest and what is in it; none for what the service never sees. */
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

import { type JsonPointer, splitPointer } from '../diagnostics/pointer.js'

/** Suggests an environment variable for the secret at a pointer, e.g. `LANDFORM_ADMINISTRATOR_PASSWORD`. */
export function suggestVariable(pointer: JsonPointer): string {
  const words = splitPointer(pointer)
    .slice(1)
    .filter(segment => segment !== 'secret' && segment !== 'credential')
    .map(segment => segment.replaceAll(/([a-z])([A-Z])/g, '$1_$2').replaceAll(/[^A-Za-z0-9]+/g, '_'))
  return ['LANDFORM', ...words].join('_').toUpperCase()
}

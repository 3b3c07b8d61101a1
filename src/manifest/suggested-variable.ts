import { type JsonPointer, readLastSegment } from '../diagnostics/pointer.js'

/** The names of every example, for fields whose own name is not enough. */
const usual: { readonly [pointer: `/${string}`]: string } = {
  '/spec/administrator/password': 'LANDFORM_ADMIN_PASSWORD',
  '/spec/administrator/securityQuestion/answer': 'LANDFORM_SECURITY_ANSWER',
  '/spec/site/signIn/password': 'LANDFORM_SIGN_IN_PASSWORD',
}

/** Suggests an environment variable for the secret at a pointer, e.g. `LANDFORM_ADMIN_PASSWORD`. */
export function suggestVariable(pointer: JsonPointer): string {
  const name = readLastSegment(pointer)
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
  return usual[pointer as `/${string}`] ?? `LANDFORM_${name.toUpperCase()}`
}

import { type JsonPointer, readLastSegment } from '../schema/pointer.js'

/** The places in a manifest where a secret reference is allowed, as patterns for `select`. */
export const referencePatterns: readonly string[] = [
  '/spec/site/token',
  '/spec/site/signIn/password',
  '/spec/site/tls/client/privateKey',
  '/spec/administrator/password',
  '/spec/administrator/securityQuestion/answer',
  '/spec/cloudStorage/*/credential/secret/*',
]

/** Describes why a path is not allowed in a manifest, as the end of a sentence; `undefined` for a valid path. */
export function findPathProblem(path: string): string | undefined {
  if (path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:/.test(path)) return 'is absolute'
  if (path.includes('\\')) return 'contains a backslash'
  if (/[^ -~]/.test(path) && /\p{Cc}/u.test(path)) return 'contains a control character'
  return undefined
}

/** The names that every example uses, for fields whose own name is not specific enough. */
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

import type { ParameterName } from '../../contract/operations.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import type { NeededSecret } from '../../secrets/needed-references.js'
import type { Secret } from '../../secrets/secret.js'
import type { FormField } from './form.js'

type Name = ParameterName<'deleteAll'>

/** The fields of a `deleteAll` request, copies that the caller wipes; the token travels in the body. Service §4.2, §5. */
export function buildDeleteAllFields(
  token: NeededSecret | undefined,
  secretAt: (pointer: JsonPointer) => Secret,
): readonly FormField[] {
  const fields: readonly { name: Name; value: Buffer }[] = [{ name: 'f', value: Buffer.from('json') }]
  if (token === undefined) return fields
  const value = Buffer.from(secretAt(token.pointer).bytes)
  return [...fields, { name: 'token' satisfies Name, value }]
}

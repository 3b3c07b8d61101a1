import type { ParameterName } from '../../contract/operations.js'
import type { Update } from '../../plan/plan.js'
import type { Secret } from '../../secrets/secret.js'
import type { FormField } from './form.js'

/** What an `update` sends. */
export type UpdateRequest = Pick<Update & { readonly change: 'update' }, 'upgradeConfig'>

type Name = ParameterName<'update'>

/** The fields of an `update` request; the token travels in the body. Service §4.4, §5. */
export function updateFields(
  { upgradeConfig }: UpdateRequest,
  token: Secret | undefined,
): readonly FormField[] {
  const fields: { name: Name; value: Buffer }[] = [
    { name: 'upgradeConfig', value: Buffer.from(JSON.stringify(upgradeConfig)) },
    { name: 'f', value: Buffer.from('json') },
  ]
  return token === undefined ? fields : [...fields, { name: 'token' satisfies Name, value: token.bytes }]
}

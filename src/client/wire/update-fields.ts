import type { ParameterName } from '../../contract/operations.js'
import type { PodPlacementPolicy } from '../../manifest/manifest.js'
import type { Secret } from '../../secrets/secret.js'
import type { FormField } from './form.js'

type Name = ParameterName<'update'>

/** The fields of an `update` request; the token travels in the body. Service §4.4, §5. */
export function updateFields(policy: PodPlacementPolicy, token: Secret | undefined): readonly FormField[] {
  const fields: { name: Name; value: Buffer }[] = [
    { name: 'upgradeConfig', value: Buffer.from(JSON.stringify({ podPlacementPolicy: policy })) },
    { name: 'f', value: Buffer.from('json') },
  ]
  return token === undefined ? fields : [...fields, { name: 'token' satisfies Name, value: token.bytes }]
}

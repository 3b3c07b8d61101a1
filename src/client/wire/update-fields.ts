import type { ParameterName } from '../../contract/operations.js'
import type { JsonObject } from '../../schema/json-schema.js'
import type { Secret } from '../../secrets/secret.js'
import type { FormField } from './form.js'

/** The content of an `update`. */
export interface UpdateRequest {
  readonly upgradeConfig: JsonObject
}

/** The fields of an `update` request; the token travels in the body. Service §4.4, §5. */
export function buildUpdateFields(
  { upgradeConfig }: UpdateRequest,
  token: Secret | undefined,
): readonly FormField[] {
  const values: Readonly<Record<ParameterName<'update'>, Buffer | undefined>> = {
    upgradeConfig: Buffer.from(JSON.stringify(upgradeConfig)),
    f: Buffer.from('json'),
    token: token?.bytes,
  }
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))
}

import { type CredentialTypeName, isCredentialType } from '../../contract/cloud.js'
import { isObject, type JsonObject } from '../../schema/json-schema.js'
import { type Selected, select, type ValueIndex } from '../../schema/select.js'

/** A cloud provider with a known credential type. */
export interface ProviderOfType {
  readonly at: Selected
  readonly provider: JsonObject
  readonly type: CredentialTypeName
}

/** Finds the cloud providers with a known credential type; the others cannot be checked. Service §2.5. */
export function findCloudProviders(index: ValueIndex): readonly ProviderOfType[] {
  return select(index, '/spec/cloudStorage/*').flatMap(readProvider)
}

function readProvider(at: Selected): readonly ProviderOfType[] {
  const provider = at.value
  const credential = isObject(provider) ? provider['credential'] : undefined
  const type = isObject(credential) ? credential['type'] : undefined
  return isObject(provider) && isCredentialType(type) ? [{ at, provider, type }] : []
}

import { type CredentialTypeName, isCredentialType } from '../../contract/cloud.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import { isObject, type JsonObject, type JsonValue } from '../../schema/json-schema.js'
import { select } from '../select.js'

/** A cloud provider with a known credential type. */
export interface ProviderOfType {
  readonly pointer: JsonPointer
  readonly provider: JsonObject
  readonly type: CredentialTypeName
}

/** Finds the cloud providers with a known credential type; the others cannot be checked. Service §2.5. */
export function findCloudProviders(manifest: JsonValue): readonly ProviderOfType[] {
  return select(manifest, '/spec/cloudStorage/*').flatMap(({ pointer, value: provider }) => {
    const credential = isObject(provider) ? provider['credential'] : undefined
    const type = isObject(credential) ? credential['type'] : undefined
    return isObject(provider) && isCredentialType(type) ? [{ pointer, provider, type }] : []
  })
}

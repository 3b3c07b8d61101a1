import { type CredentialTypeName, isCredentialType } from '../../contract/cloud.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import { isObject, type JsonObject, type JsonValue } from '../../schema/json-schema.js'
import { select } from '../select.js'

/** A cloud provider of which it is known what kind it is. */
export interface ProviderOfType {
  readonly pointer: JsonPointer
  readonly provider: JsonObject
  readonly type: CredentialTypeName
}

/** The cloud providers with a documented credential type; of the others nothing can be said. Service §2.5. */
export function cloudProviders(manifest: JsonValue): readonly ProviderOfType[] {
  return select(manifest, '/spec/cloudStorage/*').flatMap(({ pointer, value: provider }) => {
    const credential = isObject(provider) ? provider['credential'] : undefined
    const type = isObject(credential) ? credential['type'] : undefined
    return isObject(provider) && isCredentialType(type) ? [{ pointer, provider, type }] : []
  })
}

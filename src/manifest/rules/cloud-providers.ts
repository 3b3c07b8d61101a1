import { type CredentialTypeName, isCredentialType } from '../../contract/cloud.js'
import { isObject, type JsonObject, type JsonValue } from '../../schema/json-schema.js'
import { type Selected, select } from '../select.js'

/** A cloud provider with a known credential type. */
export interface ProviderOfType {
  readonly at: Selected
  readonly provider: JsonObject
  readonly type: CredentialTypeName
}

/** Finds the cloud providers with a known credential type; the others cannot be checked. Service §2.5. */
export function findCloudProviders(manifest: JsonValue): readonly ProviderOfType[] {
  const found = select(manifest, '/spec/cloudStorage/*')
  if (found !== selected) {
    selected = found
    providers = found.flatMap(readProvider)
  }
  return providers
}

/** What was found last: several rules ask it of one manifest after another. */
let selected: readonly Selected[] | undefined
let providers: readonly ProviderOfType[] = []

function readProvider(at: Selected): readonly ProviderOfType[] {
  const provider = at.value
  const credential = isObject(provider) ? provider['credential'] : undefined
  const type = isObject(credential) ? credential['type'] : undefined
  return isObject(provider) && isCredentialType(type) ? [{ at, provider, type }] : []
}

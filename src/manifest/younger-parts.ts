import { type CredentialType, credentialTypes, reportedCloudFields } from '../contract/cloud.js'
import type { ServiceVersion } from '../contract/versions.js'
import { child, type JsonPointer } from '../diagnostics/pointer.js'
import { youngerFields } from '../schema/homes.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { cloudProviders } from './rules/cloud-providers.js'
import { select } from './select.js'

/** A part of a manifest that was introduced after the first version with `configure`. */
export interface YoungerPart {
  readonly name: string
  readonly since: ServiceVersion
  readonly pointer: JsonPointer
}

/** Finds the fields, credential types and connection fields that a later version introduced. Service §9, field notes §1.6. */
export function* youngerParts(manifest: JsonValue): Iterable<YoungerPart> {
  for (const { name, since } of youngerFields)
    for (const { pointer } of select(manifest, `/spec/${name}`)) yield { name, since, pointer }
  for (const { pointer, type: name } of cloudProviders(manifest)) {
    const { reported }: CredentialType = credentialTypes[name]
    if (reported !== undefined)
      yield { name, since: reported.since, pointer: child(child(pointer, 'credential'), 'type') }
  }
  for (const { pointer, value } of select(manifest, '/spec/cloudStorage/*/cloudServices/*/connection'))
    for (const [name, since] of reportedCloudFields)
      if (isObject(value) && Object.hasOwn(value, name)) yield { name, since, pointer: child(pointer, name) }
}

import { type CredentialType, credentialTypes, reportedCloudFields } from '../contract/cloud.js'
import type { ServiceVersion } from '../contract/versions.js'
import { appendSegment, type JsonPointer } from '../diagnostics/pointer.js'
import { isObject, type JsonValue } from '../schema/json-schema.js'
import { newerFields } from '../schema/parameter-paths.js'
import { findCloudProviders } from './rules/cloud-providers.js'
import { select } from './select.js'

/** A part of a manifest that was introduced after the first version with `configure`. */
export interface NewerPart {
  readonly name: string
  readonly since: ServiceVersion
  readonly pointer: JsonPointer
}

/** Finds the fields, credential types and connection fields that a later version introduced. Service §9, field notes §1.6. */
export function* findNewerParts(manifest: JsonValue): Iterable<NewerPart> {
  for (const { name, since } of newerFields)
    for (const { pointer } of select(manifest, `/spec/${name}`)) yield { name, since, pointer }
  for (const { pointer, type: name } of findCloudProviders(manifest)) {
    const { reported }: CredentialType = credentialTypes[name]
    if (reported !== undefined)
      yield {
        name,
        since: reported.since,
        pointer: appendSegment(appendSegment(pointer, 'credential'), 'type'),
      }
  }
  for (const { pointer, value } of select(manifest, '/spec/cloudStorage/*/cloudServices/*/connection'))
    for (const [name, since] of reportedCloudFields)
      if (isObject(value) && Object.hasOwn(value, name))
        yield { name, since, pointer: appendSegment(pointer, name) }
}

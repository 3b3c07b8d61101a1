import { type CredentialType, credentialTypes, reportedCloudFields } from '../../contract/cloud.js'
import { includes, type ServiceVersion } from '../../contract/versions.js'
import { findCloudProviders } from '../../diagnostics/catalog/cloud.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { isObject } from '../../schema/json-schema.js'
import { newerFields } from '../../schema/parameter-paths.js'
import { appendSegment, type JsonPointer } from '../../schema/pointer.js'
import { select, type ValueIndex } from '../../schema/select.js'
import type { Rule } from './rule.js'

/** No field or credential type is newer than the declared service version. Service §9, field notes §1.6. */
export const fieldsExistInTheVersion: Rule = function* ({ index, version }) {
  if (version === undefined) return
  for (const { name: field, since: needs, pointer } of findNewerParts(index))
    if (!includes(version, needs))
      yield diagnose('version/field-too-new', pointer, { field, needs, declared: version })
}

/** A part of a manifest that was introduced after the first version with `configure`. */
interface NewerPart {
  readonly name: string
  readonly since: ServiceVersion
  readonly pointer: JsonPointer
}

const newer = newerFields.map(field => ({ ...field, pattern: `/spec/${field.name}` }))

/** Finds the fields, credential types and connection fields that a later version introduced. Service §9, field notes §1.6. */
export function* findNewerParts(index: ValueIndex): Iterable<NewerPart> {
  for (const { name, since, pattern } of newer)
    for (const { pointer } of select(index, pattern)) yield { name, since, pointer }
  for (const { at, type: name } of findCloudProviders(index)) {
    const { reported }: CredentialType = credentialTypes[name]
    if (reported !== undefined)
      yield {
        name,
        since: reported.since,
        pointer: appendSegment(appendSegment(at.pointer, 'credential'), 'type'),
      }
  }
  for (const found of select(index, '/spec/cloudStorage/*/cloudServices/*/connection'))
    for (const [name, since] of reportedCloudFields)
      if (isObject(found.value) && Object.hasOwn(found.value, name))
        yield { name, since, pointer: appendSegment(found.pointer, name) }
}

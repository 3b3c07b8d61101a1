import {
  type ConnectionField,
  type CredentialType,
  connectionFields,
  credentialTypes,
} from '../../contract/cloud.js'
import { includes, type ServiceVersion } from '../../contract/versions.js'
import { diagnose } from '../../diagnostics/diagnostic.js'
import { child, type JsonPointer } from '../../diagnostics/pointer.js'
import { youngerFields } from '../../schema/homes.js'
import { isObject } from '../../schema/json-schema.js'
import { select } from '../select.js'
import { cloudProviders } from './cloud-providers.js'
import type { Rule } from './rule.js'

/** No field, and no credential type, is younger than the declared service version. Service §9, field notes §1.6. */
export const fieldsExistInTheVersion: Rule = function* ({ value, version }) {
  if (version === undefined) return
  const tooNew = (field: string, needs: ServiceVersion, pointer: JsonPointer) =>
    includes(version, needs)
      ? []
      : [diagnose('version/field-too-new', pointer, { field, needs, declared: version })]
  for (const { name, since } of youngerFields)
    for (const { pointer } of select(value, `/spec/${name}`)) yield* tooNew(name, since, pointer)
  for (const { pointer: provider, type } of cloudProviders(value)) {
    const { reported }: CredentialType = credentialTypes[type]
    if (reported !== undefined)
      yield* tooNew(type, reported.since, child(child(provider, 'credential'), 'type'))
  }
  for (const { pointer, value: connection } of select(
    value,
    '/spec/cloudStorage/*/cloudServices/*/connection',
  ))
    for (const { name, reported } of reportedConnectionFields)
      if (isObject(connection) && Object.hasOwn(connection, name) && reported !== undefined)
        yield* tooNew(name, reported.since, child(pointer, name))
}

const reportedConnectionFields = [
  ...new Set(Object.values<readonly ConnectionField[]>(connectionFields).flat()),
].filter(({ reported }) => reported !== undefined)

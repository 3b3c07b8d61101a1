import {
  type CloudSpelling,
  type CredentialType,
  type CredentialTypeName,
  type cloudFields,
  cloudServiceFields,
  connectionFieldsOf,
  credentialTypes,
  credentialTypesOf,
  isCredentialType,
  wireName,
} from '../../contract/cloud.js'
import { isDocumented, type ServiceVersion } from '../../contract/versions.js'
import { isObject, type Json, type JsonObject, member } from './json.js'
import { type Check, type Fields, listOf, oneOf, record, text } from './shape.js'
import type { World } from './world.js'

/** The names of one version in one spelling. */
interface Reading {
  readonly version: ServiceVersion
  readonly spelling: CloudSpelling
}

/**
 * The value of `cloudConfig`, field by field as each credential type spells them on the wire. Service §2.5. With field
 * fidelity, and in versions that are only reported, the reported spelling is accepted, too; it is not known whether a
 * service accepts both.
 */
export function cloudConfig({ version, fidelity }: Pick<World, 'version' | 'fidelity'>): Check {
  const isReported = fidelity === 'field' || !isDocumented(version)
  const spellings = isReported ? (['document', 'reported'] as const) : (['document'] as const)
  const types = credentialTypesOf(version)
  return listOf((value, place) => {
    const type = member(value, 'credential', 'type')
    if (!isCredentialType(type) || !types.includes(type))
      return `${place}.credential.type must be one of ${types.join(', ')}.`
    const problems = spellings.map(spelling => provider(type, { version, spelling })(value, place))
    return problems.includes(undefined) ? undefined : problems[0]
  })
}

/** Removes the secrets from the credentials of a checked `cloudConfig`. Service §2.5. */
export function withoutSecrets(config: Json): Json {
  if (!Array.isArray(config)) return []
  return config.filter(isObject).map((entry): JsonObject => {
    const type = member(entry, 'credential', 'type') ?? null
    return { ...entry, credential: { type } }
  })
}

function provider(type: CredentialTypeName, reading: Reading): Check {
  return record({
    name: text,
    credential: credential(type, reading),
    cloudServices: listOf(cloudService(type, reading)),
  } satisfies Record<keyof typeof cloudFields, Check>)
}

function credential(type: CredentialTypeName, reading: Reading): Check {
  const { secret, beside = [] }: CredentialType = credentialTypes[type]
  const known = { type: oneOf([type]), ...textFields(beside, type, reading) }
  return record(secret.length === 0 ? known : { ...known, secret: record(textFields(secret, type, reading)) })
}

function cloudService(type: CredentialTypeName, reading: Reading): Check {
  const [container, ...rest] = connectionFieldsOf(type, reading.version)
  return record({
    name: text,
    type: oneOf([cloudServiceFields.type.value]),
    usage: oneOf([cloudServiceFields.usage.value]),
    category: oneOf([cloudServiceFields.category.value]),
    // Only the bucket or container is surely required; it is not documented whether the others may be omitted.
    connection: record(textFields([container], type, reading), textFields(rest, type, reading)),
  } satisfies Record<keyof typeof cloudServiceFields, Check>)
}

function textFields(
  fields: readonly { readonly name: string }[],
  type: CredentialTypeName,
  { spelling }: Reading,
): Fields {
  return Object.fromEntries(fields.map(field => [wireName(type, field.name, spelling), text]))
}

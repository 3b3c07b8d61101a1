import {
  type CredentialType,
  type CredentialTypeName,
  type cloudFields,
  cloudServiceFields,
  connectionFields,
  credentialTypeNames,
  credentialTypes,
  isCredentialType,
  wireName,
} from '../../contract/cloud.js'
import { isObject, type Json, type JsonObject, member } from './json.js'
import { type Check, type Fields, listOf, oneOf, record, text } from './shape.js'

/** The value of `cloudConfig`, field by field as each credential type spells them on the wire. Service §2.5. */
export const cloudConfig: Check = listOf((value, place) => {
  const type = member(value, 'credential', 'type')
  return isCredentialType(type)
    ? provider(type)(value, place)
    : `${place}.credential.type must be one of ${credentialTypeNames.join(', ')}.`
})

/** A checked `cloudConfig` without the secrets of its credentials. Service §2.5. */
export function withoutSecrets(config: Json): Json {
  if (!Array.isArray(config)) return []
  return config.filter(isObject).map((entry): JsonObject => {
    const type = member(entry, 'credential', 'type') ?? null
    return { ...entry, credential: { type } }
  })
}

function provider(type: CredentialTypeName): Check {
  return record({
    name: text,
    credential: credential(type),
    cloudServices: listOf(cloudService(type)),
  } satisfies Record<keyof typeof cloudFields, Check>)
}

function credential(type: CredentialTypeName): Check {
  const { secret }: CredentialType = credentialTypes[type]
  const known = { type: oneOf([type]) }
  if (secret.length === 0) return record(known)
  return record({ ...known, secret: record(textFields(secret, type)) })
}

function cloudService(type: CredentialTypeName): Check {
  const [container, ...rest] = connectionFields[credentialTypes[type].provider]
  return record({
    name: text,
    type: oneOf([cloudServiceFields.type.value]),
    usage: oneOf([cloudServiceFields.usage.value]),
    category: oneOf([cloudServiceFields.category.value]),
    // Only the bucket or container is sure to be needed: whether the others may be left out is not shown.
    connection: record(textFields([container], type), textFields(rest, type)),
  } satisfies Record<keyof typeof cloudServiceFields, Check>)
}

function textFields(fields: readonly { readonly name: string }[], type: CredentialTypeName): Fields {
  return Object.fromEntries(fields.map(field => [wireName(type, field.name), text]))
}

import {
  type CloudSpelling,
  type CredentialType,
  type CredentialTypeName,
  type cloudFields,
  cloudServiceFields,
  credentialTypes,
  findWireName,
  isCredentialType,
  listConnectionFields,
  listCredentialTypes,
} from '../../contract/cloud.js'
import { isDocumented, type ServiceVersion } from '../../contract/versions.js'
import { type EmulatorJsonObject, isObject, type Json, member } from './json.js'
import { arrayCheck, type Check, choiceCheck, type Fields, record, text } from './shape.js'
import type { World } from './world.js'

/** The names of one version in one spelling. */
interface CloudReading {
  readonly version: ServiceVersion
  readonly spelling: CloudSpelling
}

/**
 * Checks `cloudConfig` field by field, as each credential type spells them on the wire. Service §2.5. With field
 * fidelity, and in versions that are only reported, it also accepts the reported spelling; whether a service accepts
 * both is not known.
 */
export function buildCloudConfigCheck({ version, fidelity }: Pick<World, 'version' | 'fidelity'>): Check {
  const isReported = fidelity === 'field' || !isDocumented(version)
  const spellings = isReported ? (['document', 'reported'] as const) : (['document'] as const)
  const types = listCredentialTypes(version)
  return arrayCheck((value, place) => {
    const type = member(value, 'credential', 'type')
    if (!isCredentialType(type) || !types.includes(type))
      return `${place}.credential.type must be one of ${types.join(', ')}.`
    const problems = spellings.map(spelling => buildProviderCheck(type, { version, spelling })(value, place))
    return problems.includes(undefined) ? undefined : problems[0]
  })
}

/** Removes `secret` from the credentials of a checked `cloudConfig`. Service §2.5. */
export function removeSecrets(config: Json): Json {
  if (!Array.isArray(config)) return []
  return config.filter(isObject).map((entry): EmulatorJsonObject => {
    const credential = member(entry, 'credential')
    const kept = isObject(credential) ? Object.entries(credential).filter(([name]) => name !== 'secret') : []
    return { ...entry, credential: Object.fromEntries(kept) }
  })
}

function buildProviderCheck(type: CredentialTypeName, reading: CloudReading): Check {
  return record({
    name: text,
    credential: buildCredentialCheck(type, reading),
    cloudServices: arrayCheck(buildCloudServiceCheck(type, reading)),
  } satisfies Record<keyof typeof cloudFields, Check>)
}

function buildCredentialCheck(type: CredentialTypeName, reading: CloudReading): Check {
  const { secret, beside = [] }: CredentialType = credentialTypes[type]
  const known = { type: choiceCheck([type]), ...buildTextFields(beside, type, reading) }
  return record(
    secret.length === 0 ? known : { ...known, secret: record(buildTextFields(secret, type, reading)) },
  )
}

function buildCloudServiceCheck(type: CredentialTypeName, reading: CloudReading): Check {
  const [container, ...rest] = listConnectionFields(type, reading.version)
  return record({
    name: text,
    type: choiceCheck([cloudServiceFields.type.value]),
    usage: choiceCheck([cloudServiceFields.usage.value]),
    category: choiceCheck([cloudServiceFields.category.value]),
    // Only the bucket or container is clearly required; whether the others may be omitted is not documented.
    connection: record(buildTextFields([container], type, reading), buildTextFields(rest, type, reading)),
  } satisfies Record<keyof typeof cloudServiceFields, Check>)
}

function buildTextFields(
  fields: readonly { readonly name: string }[],
  type: CredentialTypeName,
  { spelling }: CloudReading,
): Fields {
  return Object.fromEntries(fields.map(field => [findWireName(type, field.name, spelling), text]))
}

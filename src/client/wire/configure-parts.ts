import { cloudServiceFields, wireName } from '../../contract/cloud.js'
import { folderListKey, serverLicensePart } from '../../contract/field-notes.js'
import type { ParameterName } from '../../contract/operations.js'
import { questionIndex } from '../../contract/questions.js'
import { logLevelField, profileField, volumesWrapper } from '../../contract/structures.js'
import { documentedProvisioningType, volumeComponents } from '../../contract/volumes.js'
import { child, type JsonPointer } from '../../diagnostics/pointer.js'
import type { CloudProvider, Organization } from '../../manifest/manifest.js'
import type { JsonObject } from '../../schema/json-schema.js'
import type { Secret } from '../../secrets/secret.js'
import { encodeJson, type WireValue } from './json-bytes.js'
import type { Part } from './multipart.js'

/** The resolved secret at a place of the manifest. */
export type SecretAt = (pointer: JsonPointer) => Secret

type Name = ParameterName<'configure'>

/**
 * The parts of a `configure` request, in the order of the document: the one place that knows how the manifest's
 * spelling becomes the wire's. What the manifest leaves out is not sent. Service §4.3, §2.4 to §2.7.
 */
export function configureParts(organization: Organization, secretAt: SecretAt): readonly Part[] {
  const { administrator, license, profile, volumes, cloudStorage, dataStores } = organization
  const { folders, logLevel, systemProperties, extra } = organization
  return [
    text('username', administrator.username),
    secret('password', secretAt('/spec/administrator/password')),
    text('email', administrator.email),
    text('fullName', administrator.fullName),
    ...optional(administrator.firstName, value => text('firstName', value)),
    ...optional(administrator.lastName, value => text('lastName', value)),
    ...optional(administrator.description, value => text('description', value)),
    text('securityQuestionIdx', String(indexOf(administrator.securityQuestion))),
    secret('securityQuestionAns', secretAt('/spec/administrator/securityQuestion/answer')),
    text('userLicenseTypeId', administrator.userType),
    file('licenseFile', `license.${extension(license.file)}`, secretAt('/spec/license/file')),
    ...optional(license.serverFile, path =>
      file(serverLicensePart, `server-license.${extension(path)}`, secretAt('/spec/license/serverFile')),
    ),
    json('volumesConfig', { [volumesWrapper]: volumeEntries(volumes) }),
    ...optional(cloudStorage, providers => json('cloudConfig', cloudEntries(providers, secretAt))),
    ...optional(logLevel, level => json('logSettings', { [logLevelField]: level })),
    ...optional(systemProperties, properties => json('systemProperties', properties)),
    ...optional(profile, name => json('systemArchitectureProfile', { [profileField]: name })),
    ...optional(folders, paths => text('folderPathsToRegister', folderText(paths))),
    ...optional(dataStores, stores => json('userManagedStores', stores as WireValue)),
    ...Object.entries(extra ?? {}).map(([name, value]) => extraPart(name, value)),
    text('f', 'json'),
  ]
}

function volumeEntries(volumes: Organization['volumes']): WireValue {
  return volumeComponents.map(component => {
    const {
      provisioningType = documentedProvisioningType,
      size,
      storageClass,
      labels = {},
    } = volumes[component]
    return { provisioningType, component, size, storageClass, labels }
  })
}

function cloudEntries(providers: readonly CloudProvider[], secretAt: SecretAt): WireValue {
  return providers.map(({ name, credential, cloudServices }, index) => {
    const { type } = credential
    const spelled = (fields: { readonly [name: string]: WireValue | undefined }) =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([field, value]) =>
          value === undefined ? [] : [[wireName(type, field), value] as const],
        ),
      )
    const secret = 'secret' in credential ? secretValues(credential.secret, index, secretAt) : undefined
    return {
      name,
      credential: secret === undefined ? { type } : { type, secret: spelled(secret) },
      cloudServices: cloudServices.map(service => ({
        name: service.name,
        type: service.type ?? cloudServiceFields.type.value,
        usage: service.usage ?? cloudServiceFields.usage.value,
        category: service.category ?? cloudServiceFields.category.value,
        connection: spelled(service.connection),
      })),
    }
  })
}

function secretValues(secret: object, provider: number, secretAt: SecretAt): { [name: string]: WireValue } {
  const at: JsonPointer = `/spec/cloudStorage/${provider}/credential/secret`
  return Object.fromEntries(
    Object.entries(secret).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : secretAt(child(at, name)),
    ]),
  )
}

/** One plain string travels as it is; a list as the JSON object that the field notes report. */
function folderText(folders: string | readonly string[]): string {
  return typeof folders === 'string' ? folders : JSON.stringify({ [folderListKey]: folders })
}

function indexOf(chosen: Organization['administrator']['securityQuestion']): number {
  if (chosen.index !== undefined) return chosen.index
  if (chosen.question !== undefined) return questionIndex(chosen.question)
  throw new Error('a checked manifest names its secret question')
}

function extraPart(name: string, value: JsonObject[string]): Part {
  const bytes = typeof value === 'string' ? Buffer.from(value) : encodeJson(value)
  return { kind: 'text', name, value: bytes }
}

function text(name: Name, value: string): Part {
  return { kind: 'text', name, value: Buffer.from(value) }
}

function json(name: Name, value: WireValue): Part {
  return { kind: 'text', name, value: encodeJson(value) }
}

function secret(name: Name, value: Secret): Part {
  return { kind: 'text', name, value: value.bytes }
}

function file(name: Name | typeof serverLicensePart, fileName: string, value: Secret): Part {
  return { kind: 'file', name, fileName, value: value.bytes }
}

function optional<T>(value: T | undefined, part: (value: T) => Part): readonly Part[] {
  return value === undefined ? [] : [part(value)]
}

/** The ending of the user's file, if it is a plain one; nothing else of the name leaves the machine. */
function extension(path: string): string {
  return /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1] ?? 'lic'
}

import { type CloudSpelling, cloudServiceFields, findWireName } from '../../contract/cloud.js'
import { folderListKey } from '../../contract/field-notes.js'
import { profileField, type Quirk, volumesWrapper } from '../../contract/field-row.js'
import { type Field, listFields } from '../../contract/fields.js'
import { findQuestionIndex } from '../../contract/questions.js'
import { documentedProvisioningType, volumeComponents } from '../../contract/volumes.js'
import type { CloudProvider, Organization } from '../../manifest/manifest.js'
import type { JsonValue } from '../../schema/json-schema.js'
import { appendSegment, type JsonPointer } from '../../schema/pointer.js'
import { select } from '../../schema/select.js'
import type { Secret } from '../../secrets/secret.js'
import { encodeJson, type WireValue } from './json-bytes.js'
import type { MultipartPart, PartOfBody } from './multipart.js'

/**
 * Builds the parts of a `configure` request in the order of the document, each from its row in the contract. Fields that the
 * manifest omits are not sent. `fileAt` is for files that are not in memory. Service §4.3.
 */
export function buildConfigureParts<F extends PartOfBody = Buffer>(
  organization: Organization,
  secretAt: SecretAt,
  fileAt?: (pointer: JsonPointer) => F,
): readonly MultipartPart<Buffer | F>[] {
  return [
    ...listFields('configure').flatMap(field => {
      const value = encodeField(organization, field.pointer)
      return value === undefined ? [] : [encodePart(field, value)]
    }),
    ...Object.entries(organization.extra ?? {}).map(([name, value]) =>
      text(name, typeof value === 'string' ? Buffer.from(value) : encodeJson(value)),
    ),
    ...Object.values(organization.deploymentProfiles ?? {}).map(({ name, parameter }) =>
      text(parameter, encodeJson({ [profileField]: name })),
    ),
    text('f', Buffer.from('json')),
  ]

  function encodePart(
    { pointer, sent, parameter: { name } }: Field,
    value: JsonValue,
  ): MultipartPart<Buffer | F> {
    if (typeof sent !== 'string')
      return 'member' in sent
        ? text(name, encodeJson({ [sent.member]: value }))
        : {
            kind: 'file',
            name,
            fileName: `${sent.fileName}.${extension(String(value))}`,
            value: fileAt?.(pointer) ?? secretAt(pointer).bytes,
          }
    switch (sent) {
      case 'text':
        return text(name, Buffer.from(String(value)))
      case 'secret':
        return text(name, secretAt(pointer).bytes)
      case 'json':
        return text(name, encodeJson(value))
      default:
        return text(name, quirkEncoders[sent](organization, secretAt))
    }
  }
}

function encodeField(organization: Organization, pointer: JsonPointer): JsonValue | undefined {
  const [found] = select({ spec: organization }, pointer)
  return found?.value
}

function text(name: string, value: Buffer): MultipartPart {
  return { kind: 'text', name, value }
}

/** Returns the extension of the user's file if it is plain. No other part of the file name is sent. */
function extension(path: string): string {
  return /\.([A-Za-z0-9]{1,8})$/.exec(path)?.[1] ?? 'lic'
}

/** Returns the resolved secret at a place of the manifest. */
type SecretAt = (pointer: JsonPointer) => Secret

type Encoder = (organization: Organization, secretAt: SecretAt) => Buffer

/**
 * Encoders for values that a request spells differently from a manifest. Called only for fields that the manifest has.
 * Service §2.4 to §2.6, §2.9, §4.3.
 */
const quirkEncoders: Readonly<Record<Quirk, Encoder>> = {
  question: ({ administrator }) => Buffer.from(String(encodeQuestionIndex(administrator.securityQuestion))),
  volumes: ({ volumes }) => encodeJson({ [volumesWrapper]: buildVolumeEntries(volumes) }),
  cloudStorage: ({ cloudStorage = [], cloudSpelling }, secretAt) =>
    encodeJson(buildCloudEntries(cloudStorage, secretAt, cloudSpelling)),
  folders: ({ folders = [] }) => encodeFolders(folders),
  dataStores: ({ dataStores = [] }) => encodeJson(dataStores as WireValue),
}

function buildVolumeEntries(volumes: Organization['volumes']): WireValue {
  return volumeComponents.map(component => {
    const { provisioningType = documentedProvisioningType, labels = {}, ...others } = volumes[component]
    const { size, storageClass } = others
    return { provisioningType, component, size, ...(storageClass !== undefined && { storageClass }), labels }
  })
}

function buildCloudEntries(
  providers: readonly CloudProvider[],
  secretAt: SecretAt,
  spelling: CloudSpelling | undefined,
): WireValue {
  return providers.map(({ name, credential, cloudServices }, index) => {
    const { type, ...rest } = credential
    const others: Readonly<Record<string, string | object>> = rest
    const spellFields = (fields: { readonly [name: string]: WireValue | undefined }) =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([field, value]) =>
          value === undefined ? [] : [[findWireName(type, field, spelling), value] as const],
        ),
      )
    const parts = Object.entries(others).map(([field, value]) => [
      field,
      typeof value === 'string' ? value : spellFields(selectSecretValues(value, index, secretAt)),
    ])
    return {
      name,
      credential: { type, ...Object.fromEntries(parts) },
      cloudServices: cloudServices.map(service => ({
        name: service.name,
        type: service.type ?? cloudServiceFields.type.value,
        usage: service.usage ?? cloudServiceFields.usage.value,
        category: service.category ?? cloudServiceFields.category.value,
        connection: spellFields(service.connection),
      })),
    }
  })
}

function selectSecretValues(
  secret: object,
  provider: number,
  secretAt: SecretAt,
): { [name: string]: WireValue } {
  const at: JsonPointer = `/spec/cloudStorage/${provider}/credential/secret`
  return Object.fromEntries(
    Object.entries(secret).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : secretAt(appendSegment(at, name)),
    ]),
  )
}

/** Encodes folders: a string as it is, and a list as the JSON object that the field notes report. */
function encodeFolders(folders: string | readonly string[]): Buffer {
  return typeof folders === 'string' ? Buffer.from(folders) : encodeJson({ [folderListKey]: folders })
}

function encodeQuestionIndex(chosen: Organization['administrator']['securityQuestion']): number {
  if (chosen.index !== undefined) return chosen.index
  if (chosen.question !== undefined) return findQuestionIndex(chosen.question)
  throw new Error('a checked manifest names its secret question')
}

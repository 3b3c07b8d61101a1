import { type CloudSpelling, cloudServiceFields, findWireName } from '../../contract/cloud.js'
import { folderListKey } from '../../contract/field-notes.js'
import type { Quirk } from '../../contract/field-row.js'
import { findQuestionIndex } from '../../contract/questions.js'
import { volumesWrapper } from '../../contract/structures.js'
import { documentedProvisioningType, volumeComponents } from '../../contract/volumes.js'
import { appendSegment, type JsonPointer } from '../../diagnostics/pointer.js'
import type { CloudProvider, Organization } from '../../manifest/manifest.js'
import type { Secret } from '../../secrets/secret.js'
import { encodeJson, type WireValue } from './json-bytes.js'

/** The resolved secret at a place of the manifest. */
export type SecretAt = (pointer: JsonPointer) => Secret

type Encoder = (organization: Organization, secretAt: SecretAt) => Buffer

/**
 * Encoders of the values whose wire form differs from that in a manifest: the one place that knows how the manifest's
 * spelling becomes the wire's. Called only where the manifest has the field. Service §2.4 to §2.6, §2.9, §4.3.
 */
export const quirkEncoders: Readonly<Record<Quirk, Encoder>> = {
  question: ({ administrator }) => Buffer.from(String(encodeQuestionIndex(administrator.securityQuestion))),
  volumes: ({ volumes }) => encodeJson({ [volumesWrapper]: buildVolumeEntries(volumes) }),
  cloudStorage: ({ cloudStorage = [], cloudSpelling }, secretAt) =>
    encodeJson(buildCloudEntries(cloudStorage, secretAt, cloudSpelling)),
  folders: ({ folders = [] }) => Buffer.from(formatFolders(folders)),
  dataStores: ({ dataStores = [] }) => encodeJson(dataStores as WireValue),
}

function buildVolumeEntries(volumes: Organization['volumes']): WireValue {
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

/** One plain string travels as it is; a list as the JSON object that the field notes report. */
function formatFolders(folders: string | readonly string[]): string {
  return typeof folders === 'string' ? folders : JSON.stringify({ [folderListKey]: folders })
}

function encodeQuestionIndex(chosen: Organization['administrator']['securityQuestion']): number {
  if (chosen.index !== undefined) return chosen.index
  if (chosen.question !== undefined) return findQuestionIndex(chosen.question)
  throw new Error('a checked manifest names its secret question')
}

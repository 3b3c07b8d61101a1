import {
  besideNames,
  type ConnectionField,
  type CredentialType,
  type CredentialTypeName,
  cloudServiceFields,
  connectionFields,
  credentialTypes,
  isCredentialType,
  listConnectionFields,
  replacedCredential,
  reportedProviderNames,
} from '../../contract/cloud.js'
import { findPlaceDoubts } from '../../contract/cloud-names.js'
import { includes, isDocumented, newestReportedVersion } from '../../contract/versions.js'
import { isObject, type JsonObject } from '../../schema/json-schema.js'
import { appendSegment } from '../../schema/pointer.js'
import { type Selected, select, selectBelow, type ValueIndex } from '../../schema/select.js'
import { findInOtherCase, findMisspelledFields } from '../did-you-mean.js'
import { formatAll, formatAlternatives, quote } from '../words.js'
import { defineEntry } from './entry.js'
import { defineRule } from './rule.js'

const { type: replaced, since, by, still } = replacedCredential

/** The connections of a provider, from its place. */
export const connections = '/cloudServices/*/connection'

/** The fields of connections of every kind; the schema reports a field that no kind has. */
const everyField = Object.values<readonly ConnectionField[]>(connectionFields)
  .flat()
  .map(({ name }) => name)

/** Cloud storage. */
export const cloudEntries = {
  'cloud/secret-fields': defineEntry<{
    readonly type: string
    readonly wanted: readonly string[]
    readonly missing: readonly string[]
    /** Fields of other credential types. Fields that no type has are only counted, not named. */
    readonly foreign: readonly string[]
    readonly strangers: number
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.5',
    title: 'The secret does not match the credential type',
    message: ({ type, wanted, missing, foreign, strangers }) => {
      const faults = [
        ...(missing.length > 0 ? [`is missing ${formatAll(missing)}`] : []),
        ...(foreign.length > 0 ? [`does not accept ${formatAll(foreign)}`] : []),
        ...(strangers > 0 ? ['contains a field that no credential type has'] : []),
      ]
      return wanted.length === 0
        ? `a credential of type ${quote(type)} must not have \`secret\``
        : `the secret of ${quote(type)} ${faults.join(' and ')}`
    },
    help: ({ wanted }) => (wanted.length === 0 ? 'remove it' : `its fields: ${formatAll(wanted)}`),
  }),
  'cloud/credential-fields': defineRule({
    severity: 'error',
    marks: 'key',
    source: 'Reported: Helm charts 11.3',
    title: 'The fields beside the secret do not match the credential type',
    *check({ index }) {
      for (const { at, credential, type } of findCloudProviders(index)) {
        const { beside = [] }: CredentialType = credentialTypes[type]
        const wanted = beside.map(({ name }) => name)
        const missing = wanted.filter(name => !Object.hasOwn(credential, name))
        const foreign = besideNames.filter(name => Object.hasOwn(credential, name) && !wanted.includes(name))
        if (missing.length + foreign.length > 0)
          yield [appendSegment(at.pointer, 'credential'), { type, missing, foreign }]
      }
    },
    message: ({ type, missing, foreign }) => {
      const faults = [
        ...(missing.length > 0 ? [`is missing ${formatAll(missing)}`] : []),
        ...(foreign.length > 0 ? [`has no field ${formatAlternatives(foreign)}`] : []),
      ]
      return `a credential of type ${quote(type)} ${faults.join(' and ')}`
    },
    help: ({ missing }) =>
      missing.length > 0 ? `add ${formatAll(missing)}` : 'remove it, or correct the credential type',
  }),
  'cloud/connection-fields': defineRule({
    severity: 'error',
    marks: 'key',
    source: 'Service §2.5',
    title: 'The connection does not match the provider',
    // Region and root folder may be absent: the document does not say that they are required.
    *check({ index, version }) {
      for (const { at, type } of findCloudProviders(index)) {
        const allowed = listConnectionFields(type, version ?? newestReportedVersion).map(({ name }) => name)
        // Includes fields of the kind that a later version introduced.
        const ofKind = listConnectionFields(type, newestReportedVersion).map(({ name }) => name)
        for (const { value: connection, pointer } of selectBelow(at, connections)) {
          if (!isObject(connection)) continue
          const foreign = Object.keys(connection).filter(
            name => !ofKind.includes(name) && everyField.includes(name),
          )
          // A misspelled field is reported as unknown with a suggestion; if that is only a warning, it also counts as missing.
          const isOpen = version !== undefined && !isDocumented(version)
          const misspelt = isOpen ? [] : findMisspelledFields(connection, everyField)
          const missing = allowed.slice(0, 1).find(name => !(name in connection) && !misspelt.includes(name))
          if (foreign.length > 0 || missing !== undefined)
            yield [pointer, { type, allowed, missing, foreign }]
        }
      }
    },
    message: ({ type, missing, foreign }) => {
      const faults = [
        ...(missing === undefined ? [] : [`is missing ${quote(missing)}`]),
        ...(foreign.length > 0 ? [`has no field ${formatAlternatives(foreign)}`] : []),
      ]
      return `a connection with the credential type ${quote(type)} ${faults.join(' and ')}`
    },
    help: ({ allowed }) => `its fields: ${formatAll(allowed)}`,
  }),
  'cloud/provider-name': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Reported: Helm charts 11.2 and 11.3',
    title: 'Unusual provider name for the credential type',
    *check({ index }) {
      const providers = findCloudProviders(index)
      const taken = providers.map(({ provider }) => provider['name'])
      for (const { at, provider, type } of providers) {
        const [found, reported] = [provider['name'], reportedProviderNames[credentialTypes[type].provider]]
        // A second provider of the type needs a different name.
        if (typeof found !== 'string' || found === '' || taken.includes(reported)) continue
        const otherCase = findInOtherCase(found, [reported]) !== undefined
        yield [appendSegment(at.pointer, 'name'), { type, found, reported, otherCase }]
      }
    },
    message: ({ type, found }) =>
      `${quote(found)} is not the provider name that public sources use with ${quote(type)}`,
    help: ({ reported }) => `write ${quote(reported)}, or correct the credential type`,
    fix: ({ reported, otherCase }) => (otherCase ? { kind: 'replace', by: reported } : undefined),
  }),
  'cloud/service-value': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Service §2.5',
    title: 'A storage service with an undocumented value',
    *check({ index }) {
      for (const field of ['type', 'usage', 'category'] as const)
        for (const { value: found, pointer } of select(
          index,
          `/spec/cloudStorage/*/cloudServices/*/${field}`,
        )) {
          const documented = cloudServiceFields[field].value
          if (typeof found !== 'string' || found === '' || found === documented) continue
          const otherCase = findInOtherCase(found, [documented]) !== undefined
          yield [pointer, { field, found, documented, otherCase }]
        }
    },
    message: ({ field, found, documented }) =>
      `${quote(found)} is not documented for ${quote(field)}; the documented value is ${quote(documented)}`,
    help: ({ documented }) => `write ${quote(documented)}, or remove the field: it is the default`,
    fix: ({ documented, otherCase }) => (otherCase ? { kind: 'replace', by: documented } : undefined),
  }),
  'cloud/region-absent': defineRule({
    severity: 'warning',
    marks: 'key',
    source: 'Reported: Helm charts 11.2 and 11.3',
    title: 'A bucket without a region',
    *check({ index }) {
      for (const { at, type } of findCloudProviders(index)) {
        if (credentialTypes[type].provider !== 'bucket') continue
        for (const { value: connection, pointer } of selectBelow(at, connections)) {
          if (!isObject(connection)) continue
          const misspelt = findMisspelledFields(
            connection,
            connectionFields.bucket.map(({ name }) => name),
          )
          const has = (name: 'bucketName' | 'region') => name in connection || misspelt.includes(name)
          if (has('bucketName') && !has('region')) yield [pointer, { type }]
        }
      }
    },
    message: ({ type }) => `the bucket has no \`region\`; every public example with ${quote(type)} has one`,
    help: () => 'add the region of the bucket, such as `eu-west-1`',
  }),
  'cloud/name': defineEntry<{
    readonly field: string
    readonly found: string
    readonly rule: string
    readonly example: string
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'value',
    source: 'Amazon S3, Azure and Google Cloud: naming rules',
    title: 'A name that the cloud provider does not accept',
    message: ({ field, found }) => `${quote(found)} is not a valid ${quote(field)} for this provider`,
    help: ({ rule, example }) => `use ${rule}, such as ${quote(example)}`,
  }),
  'cloud/place': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Amazon S3, Azure and Google Cloud: naming rules',
    title: 'A location of cloud storage that does not fit',
    *check({ index }) {
      for (const { at, credential, type } of findCloudProviders(index)) {
        const { secret } = credential
        const account = isObject(secret) ? secret['storageAccountName'] : undefined
        if (credentialTypes[type].provider === 'regionless-bucket') continue
        for (const { value: connection, pointer } of selectBelow(at, connections))
          if (isObject(connection))
            for (const doubt of findPlaceDoubts(connection, account))
              yield [appendSegment(pointer, doubt.field), doubt]
      }
    },
    message: doubt => {
      switch (doubt.kind) {
        case 'zone':
          return `${quote(doubt.found)} is a zone of the region ${quote(doubt.region)}`
        case 'other-region':
          return `the endpoint is in ${quote(doubt.found)}, but the region is ${quote(doubt.named)}`
        case 'other-account':
          return `the endpoint belongs to the account ${quote(doubt.found)}, but the credential to ${quote(doubt.named)}`
      }
    },
    help: doubt =>
      doubt.kind === 'zone' ? `write ${quote(doubt.region)}` : 'correct one of them, or remove the endpoint',
    fix: doubt => (doubt.kind === 'zone' ? { kind: 'replace', by: doubt.region } : undefined),
  }),
  'cloud/managed-identity-replaced': defineRule({
    severity: 'warning',
    marks: 'value',
    source: 'Reported: Helm charts 11.2 and 11.3',
    title: 'A credential type that newer service versions may not support',
    *check({ index, version }) {
      if (version === undefined || !includes(version, since)) return
      for (const { at, type } of findCloudProviders(index))
        if (type === replaced) yield [`${at.pointer}/credential/type`, {}]
    },
    message: () =>
      `since service version ${since}, public sources list ${formatAll(by)} instead of ${quote(replaced)}`,
    help: () =>
      `use ${formatAlternatives([...by, still])}, or check whether the site still supports ${quote(replaced)}`,
  }),
} as const

/** A cloud provider with a known credential type. */
interface ProviderOfType {
  readonly at: Selected
  readonly provider: JsonObject
  readonly credential: JsonObject
  readonly type: CredentialTypeName
}

/** Finds the cloud providers with a known credential type; the others cannot be checked. Service §2.5. */
export function findCloudProviders(index: ValueIndex): readonly ProviderOfType[] {
  return select(index, '/spec/cloudStorage/*').flatMap(at => {
    const provider = at.value
    const credential = isObject(provider) ? provider['credential'] : undefined
    const type = isObject(credential) ? credential['type'] : undefined
    return isObject(provider) && isObject(credential) && isCredentialType(type)
      ? [{ at, provider, credential, type }]
      : []
  })
}

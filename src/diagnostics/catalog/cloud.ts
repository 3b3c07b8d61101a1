import { type CredentialTypeName, replacedCredential } from '../../contract/cloud.js'
import { formatAll, formatAlternatives, quote } from '../words.js'
import { defineEntry, type NoFacts } from './entry.js'

const { type: replaced, since, by, still } = replacedCredential

/** Cloud storage. */
export const cloudEntries = {
  'cloud/secret-fields': defineEntry<{
    readonly type: string
    readonly wanted: readonly string[]
    readonly missing: readonly string[]
    /** Fields of other types; what no type has is counted and not named. */
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
  'cloud/credential-fields': defineEntry<{
    readonly type: string
    readonly missing: readonly string[]
    readonly foreign: readonly string[]
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: Helm charts 11.3',
    title: 'The fields beside the secret do not match the credential type',
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
  'cloud/connection-fields': defineEntry<{
    readonly type: string
    readonly allowed: readonly string[]
    readonly missing: string | undefined
    readonly foreign: readonly string[]
  }>({
    severity: 'error',
    phase: 'manifest',
    marks: 'key',
    source: 'Service §2.5',
    title: 'The connection does not match the provider',
    message: ({ type, missing, foreign }) => {
      const faults = [
        ...(missing === undefined ? [] : [`is missing ${quote(missing)}`]),
        ...(foreign.length > 0 ? [`has no field ${formatAlternatives(foreign)}`] : []),
      ]
      return `a connection with the credential type ${quote(type)} ${faults.join(' and ')}`
    },
    help: ({ allowed }) => `its fields: ${formatAll(allowed)}`,
  }),
  'cloud/provider-name': defineEntry<{
    readonly type: CredentialTypeName
    readonly found: string
    readonly reported: string
    readonly otherCase: boolean
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: Helm charts 11.2 and 11.3',
    title: 'Unusual provider name for the credential type',
    message: ({ type, found }) =>
      `${quote(found)} is not the provider name that public sources use with ${quote(type)}`,
    help: ({ reported }) => `write ${quote(reported)}, or correct the credential type`,
    fix: ({ reported, otherCase }) => (otherCase ? { kind: 'replace', by: reported } : undefined),
  }),
  'cloud/service-value': defineEntry<{
    readonly field: string
    readonly found: string
    readonly documented: string
    readonly otherCase: boolean
  }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Service §2.5',
    title: 'A storage service with an undocumented value',
    message: ({ field, found, documented }) =>
      `${quote(found)} is not documented for ${quote(field)}; the documented value is ${quote(documented)}`,
    help: ({ documented }) => `write ${quote(documented)}, or remove the field: it is the default`,
    fix: ({ documented, otherCase }) => (otherCase ? { kind: 'replace', by: documented } : undefined),
  }),
  'cloud/region-absent': defineEntry<{ readonly type: CredentialTypeName }>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'key',
    source: 'Reported: Helm charts 11.2 and 11.3',
    title: 'A bucket without a region',
    message: ({ type }) => `the bucket has no \`region\`; every public example with ${quote(type)} has one`,
    help: () => 'add the region of the bucket, such as `eu-west-1`',
  }),
  'cloud/managed-identity-replaced': defineEntry<NoFacts>({
    severity: 'warning',
    phase: 'manifest',
    marks: 'value',
    source: 'Reported: Helm charts 11.2 and 11.3',
    title: 'A credential type that newer service versions may not support',
    message: () =>
      `since service version ${since}, public sources list ${formatAll(by)} instead of ${quote(replaced)}`,
    help: () =>
      `use ${formatAlternatives([...by, still])}, or check whether the site still supports ${quote(replaced)}`,
  }),
} as const

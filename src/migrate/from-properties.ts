import {
  addressProperties,
  cloudProperty,
  cloudVariable,
  defaultContext,
  deploymentProperties,
  encryptedPrefix,
  folderProperty,
  licenseProperties,
  licenseVariable,
  logLevelProperty,
  nameProperties,
  notMigratedProperties,
  plainProperties,
  type secretProperties,
  versionProperty,
} from '../contract/configure-properties.js'
import { findRelease, type ServiceVersion } from '../contract/versions.js'
import { type Diagnostic, diagnose } from '../diagnostics/diagnostic.js'
import { findSimilar } from '../diagnostics/did-you-mean.js'
import type { Place } from '../diagnostics/place.js'
import { type AnsweredName, answerPlaces, type NewVolumes } from '../manifest/new-manifest.js'
import type { JsonPointer } from '../schema/pointer.js'
import type { Property, PropertyFile } from './read-properties.js'
import { convertVolumes, knownStorageProperties } from './volumes-from.js'

type SecretName = (typeof secretProperties)[number]

/** The manifest path of each secret, and its environment variable in a new manifest. */
const secretPlaces: Readonly<
  Record<SecretName, { readonly pointer: JsonPointer; readonly variable: string }>
> = {
  ADMIN_PASSWORD: { pointer: '/spec/administrator/password', variable: 'LANDFORM_ADMIN_PASSWORD' },
  SECURITY_QUESTION_ANSWER: {
    pointer: '/spec/administrator/securityQuestion/answer',
    variable: 'LANDFORM_SECURITY_ANSWER',
  },
}

/** Tests whether a property holds a secret, in clear or encrypted. */
function isSecret(name: string): name is SecretName {
  return Object.hasOwn(secretPlaces, name)
}

/** The content of a property file as answers to `init`, with their places. */
export interface ConvertedProperties {
  /** By the names of the equivalent options. */
  readonly answers: Readonly<Partial<Record<AnsweredName, string>>>
  /** Every version that a file names; they must agree. */
  readonly versions: readonly NamedVersion[]
  readonly volumes: NewVolumes
  readonly folders: readonly string[]
  readonly logLevel: string | undefined
  /** True if the file refers to another file with the cloud storage, which Landform does not read. */
  readonly hasCloudStorage: boolean
  /** The property behind each field. */
  readonly places: ReadonlyMap<JsonPointer, Place>
  readonly diagnostics: readonly Diagnostic[]
}

/** A version, and the property that names it. */
export interface NamedVersion extends Pick<Property, 'written' | 'place'> {
  readonly version: ServiceVersion
}

/** Sorts the properties of a file: each goes into the manifest, or a diagnostic says why not. Leaves secrets out. */
export function convertProperties({ properties, diagnostics }: PropertyFile): ConvertedProperties {
  const filled = new Map(properties.flatMap(one => (isFilled(one) ? [[one.name, one] as const] : [])))
  const versions = properties.flatMap(findVersion)
  const answered = [
    ...listAnswers(filled),
    ...versions.slice(0, 1).map(one => ['service-version', one.version, one] as const),
  ]
  const storage = convertVolumes(properties)
  const folders = filled.get(folderProperty)
  const logLevel = filled.get(logLevelProperty)
  const cloud = filled.get(cloudProperty)
  const report = (check: (property: Property) => readonly Diagnostic[]) =>
    properties.flatMap(one => check(one).map(diagnostic => ({ ...diagnostic, place: one.place })))
  return {
    answers: Object.fromEntries(answered.map(([name, value]) => [name, value])),
    versions,
    volumes: storage.volumes,
    folders: (folders?.value ?? '')
      .split(',')
      .map(path => path.trim())
      .filter(Boolean),
    logLevel: logLevel?.value,
    hasCloudStorage: cloud !== undefined,
    places: new Map([
      ...answered.map(([name, , { place }]) => [answerPlaces[name], place] as const),
      ...properties.flatMap(({ name, place }) =>
        isSecret(name) ? [[secretPlaces[name].pointer, place] as const] : [],
      ),
      ...storage.places,
      ...(folders === undefined ? [] : [['/spec/folders', folders.place] as const]),
      ...(logLevel === undefined ? [] : [['/spec/logLevel', logLevel.place] as const]),
      ...(cloud === undefined ? [] : [['/spec/cloudStorage', cloud.place] as const]),
    ]),
    diagnostics: [
      ...diagnostics,
      ...report(reportChangedForm),
      ...storage.diagnostics,
      ...report(reportUnknown),
      ...reportDeployment(properties),
      ...reportOwnObjectStore(properties),
    ],
  }
}

type Filled = Property & { readonly value: string }

function isFilled(property: Property): property is Filled {
  return property.value !== undefined && property.value !== ''
}

function findVersion({ name, written, value = '', place }: Property): readonly NamedVersion[] {
  const version = name === versionProperty ? findRelease(value) : undefined
  return version === undefined ? [] : [{ version, written, place }]
}

/** Yields the options of `init` with their values and properties. */
function* listAnswers(
  filled: ReadonlyMap<string, Filled>,
): Generator<readonly [name: AnsweredName, value: string, property: Filled]> {
  for (const [name, option] of Object.entries(plainProperties)) {
    const property = filled.get(name)
    if (property !== undefined) yield [option, property.value, property]
  }
  const names = nameProperties.flatMap(name => filled.get(name) ?? [])
  if (names[0] !== undefined) yield ['full-name', names.map(({ value }) => value).join(' '), names[0]]
  const host = filled.get(addressProperties.configureHost) ?? filled.get(addressProperties.host)
  const context = filled.get(addressProperties.context)?.value ?? defaultContext
  if (host !== undefined) yield ['url', `https://${selectHost(host)}/${context}/admin`, host]
  for (const [name, option] of Object.entries(licenseProperties)) {
    const property = filled.get(name)
    if (property !== undefined) yield [option, buildLicensePath(property), property]
  }
}

/** Extracts the host of a value that may be a URL. */
function selectHost({ value }: Filled): string {
  return value.replace(/^\w+:\/\//, '').split('/', 1)[0] ?? ''
}

/** Builds the path of a license file, which must be below the folder of the manifest. */
function buildLicensePath({ value }: Filled): string {
  return `licenses/${value.split(/[\\/]/).at(-1)}`
}

/** Reports a property whose form in the manifest differs from that in the file. */
function reportChangedForm(property: Property): readonly Diagnostic[] {
  const { name, written, value } = property
  if (isFilled(property) && Object.hasOwn(licenseProperties, name))
    return [diagnose('properties/license-path', '', { name: written, path: buildLicensePath(property) })]
  if (isFilled(property) && (name === addressProperties.host || name === addressProperties.configureHost)) {
    const host = selectHost(property)
    const problems = [
      ...(host === value ? [] : ['an-address' as const]),
      ...(host.includes('.') ? [] : ['no-domain' as const]),
    ]
    return problems.map(problem => diagnose('properties/host', answerPlaces.url, { name: written, problem }))
  }
  if (!isSecret(name) || value === '') return []
  const isEncrypted = value?.startsWith(encryptedPrefix) === true
  return [
    diagnose('properties/secret', '', { name: written, isEncrypted, variable: secretPlaces[name].variable }),
  ]
}

const known: readonly string[] = [
  ...Object.keys(plainProperties),
  ...nameProperties,
  ...Object.values(addressProperties),
  ...Object.keys(licenseProperties),
  ...Object.keys(secretPlaces),
  folderProperty,
  logLevelProperty,
  versionProperty,
  ...knownStorageProperties,
  ...Object.keys(notMigratedProperties),
]

/** Reports a property that has no place in the manifest, unless it is known and empty. */
function reportUnknown(property: Property): readonly Diagnostic[] {
  const { name, written, value } = property
  const isLabel = /_STORAGE_LABEL_\d+$/.test(name) && known.includes(name.replace(/\d+$/, '1'))
  if (Object.hasOwn(notMigratedProperties, name)) {
    const because = notMigratedProperties[name as keyof typeof notMigratedProperties]
    return value === '' ? [] : [diagnose('properties/left-out', '', { names: [written], because })]
  }
  if (isAboutDeployment(property)) return []
  if (!known.includes(name) && !isLabel)
    return [diagnose('properties/unknown', '', { name, suggestion: findSimilar(name, known) })]
  if (value === undefined && !isSecret(name)) return [diagnose('properties/shell', '', { name: written })]
  const isUnreadable =
    isFilled(property) && name === versionProperty && findRelease(property.value) === undefined
  const facts = { names: [written], because: 'no-version' } as const
  return isUnreadable ? [diagnose('properties/left-out', answerPlaces['service-version'], facts)] : []
}

/** Tests whether a property is about the deployment; false for a misspelled property of the configuration. */
function isAboutDeployment({ name, isDeployment = false }: Property): boolean {
  return (
    isDeployment ||
    (deploymentProperties.test(name) && !known.includes(name) && findSimilar(name, known) === undefined)
  )
}

/** Reports the deployment properties of each file in one diagnostic, at the first of them. */
function reportDeployment(properties: readonly Property[]): readonly Diagnostic[] {
  const found = properties.filter(one => one.value !== '' && isAboutDeployment(one))
  return [...new Set(found.map(({ place }) => place.file))].flatMap(file => {
    const [first, ...others] = found.filter(({ place }) => place.file === file)
    if (first === undefined) return []
    const names = [first, ...others].map(({ written }) => written)
    const diagnostic = diagnose('properties/left-out', '', { names, because: 'about-the-cluster' })
    return [{ ...diagnostic, place: first.place }]
  })
}

/** Reports that the Terraform module creates its own object store, if no property names one. */
function reportOwnObjectStore(properties: readonly Property[]): readonly Diagnostic[] {
  const cloudFile = properties.find(({ name }) => name === cloudProperty)
  const variable = [cloudVariable, licenseVariable].flatMap(
    name => properties.find(one => one.written === name) ?? [],
  )[0]
  if (variable === undefined || (cloudFile !== undefined && isFilled(cloudFile))) return []
  const facts = { names: [cloudVariable], because: 'own-object-store' } as const
  const diagnostic = diagnose('properties/left-out', '/spec/cloudStorage', facts)
  return [{ ...diagnostic, place: variable.place }]
}

import {
  addressProperties,
  defaultContext,
  encryptedPrefix,
  folderProperty,
  laterProfileProperty,
  licenseProperties,
  logLevelProperty,
  nameProperties,
  plainProperties,
  propertiesLeftOut,
  secretProperties,
  unchangedProfile,
} from '../contract/configure-properties.js'
import { type Diagnostic, diagnose, type Place } from '../diagnostics/diagnostic.js'
import type { JsonPointer } from '../diagnostics/pointer.js'
import { didYouMean } from '../manifest/did-you-mean.js'
import type { NewVolumes } from '../manifest/new-volumes.js'
import { answerPlaces } from './answer-places.js'
import type { Property, PropertyFile } from './read-properties.js'
import { knownStorageProperties, volumesFrom } from './volumes-from.js'

/** What a property file says, in the words of `init`, and where it says it. */
export interface FromProperties {
  /** By the names of the options that say the same. */
  readonly answers: Readonly<Partial<Record<AnsweredName, string>>>
  readonly volumes: NewVolumes
  readonly folders: readonly string[]
  readonly logLevel: string | undefined
  /** The property behind each field. */
  readonly places: ReadonlyMap<JsonPointer, Place>
  readonly diagnostics: readonly Diagnostic[]
}

export type AnsweredName = keyof typeof answerPlaces

/**
 * Sorts the properties of a file: each goes into the manifest, or a diagnostic says why not. Secrets stay behind.
 */
export function fromProperties({ properties, diagnostics }: PropertyFile): FromProperties {
  const byName = new Map(properties.map(one => [one.name, one]))
  const has = (name: string) => {
    const property = byName.get(name)
    return property?.value === undefined || property.value === ''
      ? undefined
      : { ...property, value: property.value }
  }
  const answers: Partial<Record<AnsweredName, string>> = {}
  const places = new Map<JsonPointer, Place>()
  const found: Diagnostic[] = [...diagnostics]
  const answer = (name: AnsweredName, value: string, { place }: Property) => {
    answers[name] = value
    places.set(answerPlaces[name], place)
  }

  for (const [name, option] of Object.entries(plainProperties)) {
    const property = has(name)
    if (property !== undefined) answer(option, property.value, property)
  }
  const profile = has(laterProfileProperty)
  if (profile?.value === unchangedProfile) answer('profile', profile.value, profile)
  const names = nameProperties.flatMap(name => has(name) ?? [])
  if (names[0] !== undefined) answer('full-name', names.map(({ value }) => value).join(' '), names[0])
  const host = has(addressProperties.host)
  if (host !== undefined) {
    const context = has(addressProperties.context)?.value ?? defaultContext
    answer('url', `https://${host.value}/${context}/admin`, host)
  }
  for (const [name, option] of Object.entries(licenseProperties)) {
    const property = has(name)
    if (property === undefined) continue
    const path = `licenses/${property.value.split(/[\\/]/).at(-1)}`
    answer(option, path, property)
    found.push(at(property, diagnose('properties/license-path', '', { name, path })))
  }
  for (const [name, [pointer, variable]] of Object.entries(secrets)) {
    const property = byName.get(name)
    if (property === undefined) continue
    places.set(pointer, property.place)
    if (property.value === '') continue
    const isEncrypted = property.value?.startsWith(encryptedPrefix) === true
    found.push(at(property, diagnose('properties/secret', '', { name, isEncrypted, variable })))
  }

  const storage = volumesFrom(properties)
  for (const [pointer, place] of storage.places) places.set(pointer, place)
  const folders = has(folderProperty)
  if (folders !== undefined) places.set('/spec/folders', folders.place)
  const logLevel = has(logLevelProperty)
  if (logLevel !== undefined) places.set('/spec/logLevel', logLevel.place)
  return {
    answers,
    volumes: storage.volumes,
    folders: folders === undefined ? [] : pathsIn(folders.value),
    logLevel: logLevel?.value,
    places,
    diagnostics: [...found, ...storage.diagnostics, ...properties.flatMap(strange)],
  }
}

/** Where each secret belongs, and the variable that a new manifest names for it. */
const secrets: Readonly<
  Record<(typeof secretProperties)[number], readonly [pointer: JsonPointer, variable: string]>
> = {
  ADMIN_PASSWORD: ['/spec/administrator/password', 'LANDFORM_ADMIN_PASSWORD'],
  SECURITY_QUESTION_ANSWER: ['/spec/administrator/securityQuestion/answer', 'LANDFORM_SECURITY_ANSWER'],
}

const carried: readonly string[] = [
  ...Object.keys(plainProperties),
  ...nameProperties,
  ...Object.values(addressProperties),
  ...Object.keys(licenseProperties),
  ...secretProperties,
  folderProperty,
  logLevelProperty,
  laterProfileProperty,
  ...knownStorageProperties,
]
const known = [...carried, ...Object.keys(propertiesLeftOut)]

/** What there is to say of a property that goes nowhere; one that is empty says nothing itself. */
function strange(property: Property): readonly Diagnostic[] {
  const { name, value } = property
  const isLabel = /_STORAGE_LABEL_\d+$/.test(name) && known.includes(name.replace(/\d+$/, '1'))
  if (Object.hasOwn(propertiesLeftOut, name)) {
    const because = propertiesLeftOut[name as keyof typeof propertiesLeftOut]
    return value === '' ? [] : [at(property, diagnose('properties/left-out', '', { name, because }))]
  }
  if (!known.includes(name) && !isLabel)
    return [at(property, diagnose('properties/unknown', '', { name, suggestion: didYouMean(name, known) }))]
  if (value === undefined && !(secretProperties as readonly string[]).includes(name))
    return [at(property, diagnose('properties/shell', '', { name }))]
  return name === laterProfileProperty && value !== '' && value !== unchangedProfile
    ? [at(property, diagnose('properties/left-out', '', { name, because: 'another-profile' }))]
    : []
}

function at({ place }: Property, diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, place }
}

function pathsIn(text: string): readonly string[] {
  return text
    .split(',')
    .map(path => path.trim())
    .filter(path => path !== '')
}

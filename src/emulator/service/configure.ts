import {
  type LimitedSecret,
  type LimitedText,
  limits,
  passwordNeeds,
  profileField,
  type Quirk,
  volumesWrapper,
} from '../../contract/field-row.js'
import { type Field, listFields } from '../../contract/fields.js'
import { findParameter, operations } from '../../contract/operations.js'
import type { Parameter } from '../../contract/parameter.js'
import { defaultProfile, reportedProfiles } from '../../contract/profiles.js'
import { secretQuestions } from '../../contract/questions.js'
import {
  type dataStoreFields,
  type fileServerFields,
  volumeComponents,
  type volumeFields,
} from '../../contract/volumes.js'
import { buildResponse, rejectRequest } from './answers.js'
import { buildCloudConfigCheck, removeSecrets } from './cloud-config.js'
import { type EmulatorJsonObject, isObject, type Json, member, parseJson } from './json.js'
import { type Parameters, readParameters } from './parameters.js'
import { buildImmediateBody } from './root-answer.js'
import {
  all,
  anyObject,
  anyText,
  arrayCheck,
  type Check,
  choiceCheck,
  mapCheck,
  matching,
  record,
  text,
} from './shape.js'
import { computeSiteState, type EmulatedSiteState } from './site-state.js'
import type { Handler } from './world.js'

// Parameters that public sources report but the document does not name.
const reported = listFields('configure')
  .filter(({ source }) => source === 'reported')
  .map(({ parameter }) => parameter)

/** Begins the only configuration that a site ever gets, and answers at once. Service §4.3. */
export const configure: Handler = (world, request, now) => {
  const rules = {
    operation: 'configure',
    checks: { ...configureChecks, cloudConfig: buildCloudConfigCheck(world) },
    // The option `accept` adds parameters.
    alsoKnown: [...reported, ...world.accepted.map(name => ({ ...findParameter('configure', 'f'), name }))],
  } as const
  const reading = readParameters(world, request, rules)
  if (!reading.ok) return rejectRequest(world, request, { message: reading.error })
  const state = computeSiteState(world, now)
  if (state !== 'new') return rejectRequest(world, request, { message: rejectionMessages[state] })
  const configuration = { begunAt: now, parameters: selectPublicParameters(reading.value, world.accepted) }
  return [
    { ...world, configuration },
    buildResponse(request, buildImmediateBody({ ...world, configuration }, now)),
  ]
}

// The reaction to a second `configure` is not documented, not even after a failed one; each is rejected.
const rejectionMessages: Readonly<Record<Exclude<EmulatedSiteState, 'new'>, string>> = {
  in_progress: 'The site is being configured.',
  ready: 'The site is already configured.',
  configured: 'The site is already configured.',
  failed: 'The configuration of the site has failed.',
}

/**
 * Selects the parameters of a configuration that may be stored: all but secrets, with the default profile filled in. Of
 * the undocumented parameters, stores only objects with a profile of 12.1.
 */
function selectPublicParameters({ values }: Parameters, accepted: readonly string[]): EmulatorJsonObject {
  const all: readonly Parameter[] = operations.configure.parameters
  const kept = [...values].filter(([name]) =>
    all.some(parameter => parameter.name === name && name !== 'f' && parameter.secret !== true),
  )
  const profiles = accepted.flatMap(name => {
    const sent = parseJson(String(values.get(name) ?? ''))
    const profile = member(sent, profileField)
    return laterProfiles.includes(String(profile))
      ? [[name, { [profileField]: profile ?? null }] as const]
      : []
  })
  return {
    ...Object.fromEntries(profiles),
    systemArchitectureProfile: { [profileField]: defaultProfile },
    ...Object.fromEntries(
      kept.map(([name, value]) => [name, name === 'cloudConfig' ? removeSecrets(value) : value]),
    ),
  }
}

const laterProfiles = Object.values(reportedProfiles.names).flatMap(({ options }) => Object.keys(options))

/**
 * At least six characters, letters, digits and some symbols. Service §4.3, §8.
 *
 * The symbols are not documented, so all are accepted except white space and control characters.
 */
const username: Check = (value, place) => {
  if (typeof value !== 'string' || countCharacters(value) < limits.usernameCharacters)
    return `${place} must have at least ${limits.usernameCharacters} characters.`
  return /[\s\p{Z}\p{Cc}\p{Cf}]/u.test(value)
    ? `${place} must have no white space and no control characters.`
    : undefined
}

/** At least eight characters, one of them a letter and one a digit. Service §4.3, §8. */
const password: Check = (value, place) => {
  if (typeof value !== 'string' || countCharacters(value) < limits.passwordCharacters)
    return `${place} must have at least ${limits.passwordCharacters} characters.`
  if (!passwordNeeds.letter.test(value)) return `${place} must contain a letter.`
  return passwordNeeds.digit.test(value) ? undefined : `${place} must contain a digit.`
}

/** An e-mail address. The accepted forms are not documented; one without an @ is rejected. Service §4.3. */
const email: Check = (value, place) =>
  typeof value === 'string' && value.includes('@') ? undefined : `${place} must be an e-mail address.`

/** The position of a secret question, counted from 1. Service §2.9. */
const questionIndex: Check = (value, place) =>
  typeof value === 'string' && /^[1-9]\d?$/.test(value) && Number(value) <= secretQuestions.length
    ? undefined
    : `${place} must be an integer from 1 to ${secretQuestions.length}.`

function countCharacters(text: string): number {
  return [...text].length
}

/** The value of `userManagedStores`; the kinds of stores and file servers are not documented. Service §2.6. */
const userManagedStores: Check = arrayCheck(
  record({
    clientPath: text,
    type: text,
    info: record({
      fileServerHost: text,
      fileServerType: text,
      fileServerPath: text,
    } satisfies Record<keyof typeof fileServerFields, Check>),
  } satisfies Record<keyof typeof dataStoreFields | 'info', Check>),
)

const { storageClass, ...otherVolumeFields } = {
  // Every documented entry has DYNAMIC; other values are undocumented, so they are accepted.
  provisioningType: text,
  component: choiceCheck(volumeComponents),
  size: matching(/^\d+(?:\.\d+)?[A-Za-z]{1,2}$/, 'a storage quantity with a unit suffix'),
  storageClass: text,
  // Each entry has a tier and an app label, but their names are not documented.
  labels: mapCheck(anyText),
} satisfies Record<keyof typeof volumeFields, Check>

/** Requires a storage class for `DYNAMIC` volumes only; other kinds of provisioning are not documented. */
const classWhereProvisioned: Check = (value, place) =>
  member(value, 'provisioningType') === 'DYNAMIC' && member(value, 'storageClass') === undefined
    ? `${place}.storageClass is missing.`
    : undefined

const volume = all(record(otherVolumeFields, { storageClass }), classWhereProvisioned)

const everyComponentOnce: Check = (value, place) => {
  const volumes = member(value, volumesWrapper) as readonly Json[]
  const components = volumes.map(entry => (isObject(entry) ? entry['component'] : undefined))
  const wrong = volumeComponents.find(
    wanted => components.filter(component => component === wanted).length !== 1,
  )
  return wrong === undefined ? undefined : `${place} must hold ${wrong} exactly once.`
}

/** The value of `volumesConfig`: a wrapper around one entry for each of the eight components. Service §2.4. */
const volumesConfig: Check = all(record({ [volumesWrapper]: arrayCheck(volume) }), everyComponentOnce)

/** The values that the document describes in sections of their own. Service §2.4 to §2.6, §2.9. */
const quirks: Readonly<Record<Quirk, Check>> = {
  question: questionIndex,
  volumes: volumesConfig,
  // Depends on the version: see `configure`.
  cloudStorage: anyText,
  folders: anyText,
  dataStores: userManagedStores,
}

const limitChecks: Readonly<Record<LimitedText | LimitedSecret, Check>> = { username, password, email }

/** The check of each parameter of `configure` except files, of which only the size is checked. Service §4.3. */
export const configureChecks: Readonly<Record<string, Check>> = Object.fromEntries(
  listFields('configure').flatMap(field => {
    const check = buildFieldCheck(field)
    return check === undefined ? [] : [[field.parameter.name, check] as const]
  }),
)

function buildFieldCheck(field: Field): Check | undefined {
  const { sent } = field
  if (typeof sent === 'object')
    return 'member' in sent ? record({ [sent.member]: buildTextCheck(field) }) : undefined
  switch (sent) {
    case 'text':
    case 'secret':
      return buildTextCheck(field)
    case 'json':
      return anyObject
    default:
      return quirks[sent]
  }
}

function buildTextCheck({ shape, sent, required }: Field): Check {
  if (shape.kind === 'choice') return choiceCheck(Object.keys(shape.options))
  if ('limit' in shape && shape.limit !== undefined) return limitChecks[shape.limit]
  return required === 'yes' || typeof sent === 'object' ? text : anyText
}

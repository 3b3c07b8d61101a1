import { cloudKeys, isCredentialType } from '../../contract/cloud.js'
import { cloudNames } from '../../contract/cloud-names.js'
import { serverLicenseBefore } from '../../contract/field-notes.js'
import { reportedProfiles } from '../../contract/profiles.js'
import { newestReportedVersion } from '../../contract/versions.js'
import type { Diagnostic } from '../../diagnostics/diagnostic.js'
import { loadManifest } from '../../manifest/load-manifest.js'
import { placeholder } from '../../manifest/may-be-secret.js'
import { answerPlaces, formatNewManifest, type ManifestAnswers } from '../../manifest/new-manifest.js'
import { UsageError } from '../../report/exit-code.js'
import { isBelow, type JsonPointer } from '../../schema/pointer.js'
import { chooseAccess } from '../site/secret-option.js'
import {
  applies,
  type Given,
  type QuestionName,
  questions,
  questionsByName,
  readAnswer,
  smallest,
} from './questions.js'

/** Builds the answers of a manifest, with defaults for those that were not given. */
export function answersFrom(given: Given): ManifestAnswers {
  const value = (name: QuestionName) => readAnswer(name, given)
  const credential = applies('credential', given) ? value('credential') : undefined
  return {
    name: value('name'),
    url: value('url'),
    version: value('service-version'),
    profile: value('profile'),
    ...(applies('availability-profile', given) && {
      deploymentProfiles: {
        availability: value('availability-profile'),
        performance: value('performance-profile'),
      },
    }),
    ...(isCredentialType(credential) && { credential, cloudValues: cloudValuesIn(given) }),
    storageClass: value('storage-class'),
    ...(value('volume-size') !== smallest && { size: value('volume-size') }),
    username: value('username'),
    email: value('email'),
    fullName: value('full-name'),
    userType: value('user-type'),
    question: value('question'),
    license: value('license'),
    ...(applies('server-license', given) && { serverLicense: value('server-license') }),
    state: given.state,
    access: chooseAccess({
      token: given.token,
      'sign-in': given.token === undefined ? value('sign-in') : given['sign-in'],
    }),
  }
}

function cloudValuesIn(given: Given): Readonly<Record<string, string>> {
  return Object.fromEntries(
    questions.flatMap(({ name, cloudFields = [] }) => {
      const answer = given[name]
      return answer === undefined ? [] : cloudFields.map(field => [field, answer] as const)
    }),
  )
}

/** Loads a new manifest as if its placeholders were filled in, with different texts. */
export function loadFilled(name: string, content: string) {
  let count = 0
  const filled = content.replaceAll(
    new RegExp(`(?:(\\w+): )?${placeholder}`, 'g'),
    (_, field: string | undefined) => {
      const example = field && formsOfTheirOwn[field]
      return `${field === undefined ? '' : `${field}: `}${example ?? `placeholder${++count}`}`
    },
  )
  return loadManifest({ name, bytes: Buffer.from(filled) })
}

/** Examples for names that need a special form. */
const formsOfTheirOwn: Readonly<Record<string, string | undefined>> = {
  region: cloudNames.bucket['region']?.example,
  managedIdentityClientId: cloudNames.container['managedIdentityClientId']?.example,
}

/** Checks the manifest that the answers make. */
export function diagnoseAnswers(given: Given): readonly Diagnostic[] {
  const loaded = loadFilled('manifest', formatNewManifest(answersFrom(given)))
  // A note does not concern an answer.
  return loaded.diagnostics.filter(({ severity }) => severity !== 'note')
}

/** Selects the diagnostics at the place of an answer. */
export function selectDiagnostics(
  diagnostics: readonly Diagnostic[],
  name: QuestionName,
): readonly Diagnostic[] {
  const places: { readonly [one in QuestionName]?: JsonPointer } = answerPlaces
  const { pointer = places[name] } = questionsByName[name]
  return diagnostics.filter(one => pointer !== undefined && isBelow(one.pointer, pointer))
}

/** Rejects options that contradict other options. Throws a `UsageError`. */
export function refuseConflicts(given: Given): void {
  const { credential, 'server-license': serverLicense } = given
  if (credential !== undefined && !applies('credential', given))
    throw new UsageError('--credential needs --cloud')
  const credentials = questionsByName.credential.choices?.(given) ?? []
  if (credential !== undefined && !credentials.includes(credential))
    throw new UsageError(
      `--cloud ${given.cloud} has no credential ${credential}; use ${credentials.join(' or ')}`,
    )
  const [misplaced] = questions.filter(
    ({ name, cloudFields }) =>
      cloudFields !== undefined && given[name] !== undefined && !applies(name, given),
  )
  if (misplaced !== undefined) throw new UsageError(`--${misplaced.name} ${nameClouds(misplaced.name)}`)
  for (const name of ['availability-profile', 'performance-profile'] as const)
    if (given[name] !== undefined && !applies(name, given))
      throw new UsageError(
        given.profile === undefined
          ? `--${name} needs a --service-version of ${reportedProfiles.since} or later`
          : `--${name} and --profile exclude each other: ${reportedProfiles.since} replaced the latter`,
      )
  if (serverLicense !== undefined && !applies('server-license', given))
    throw new UsageError(`--server-license needs a --service-version before ${serverLicenseBefore}`)
}

/** Names the clouds and credentials that an option is for. */
function nameClouds(name: QuestionName): string {
  const { choices } = questionsByName.credential
  const clouds = cloudKeys.flatMap(cloud => {
    const all = choices?.({ cloud, 'service-version': newestReportedVersion }) ?? []
    const fitting = all.filter(credential => applies(name, { cloud, credential }))
    if (fitting.length === 0) return []
    return [`--cloud ${cloud}${fitting.length === all.length ? '' : ` with ${fitting.join(' or ')}`}`]
  })
  return clouds.join(' ') === cloudKeys.map(cloud => `--cloud ${cloud}`).join(' ')
    ? 'needs --cloud'
    : `is for ${clouds.join(', or ')}`
}

/** Lists the options of the required answers that are missing. */
export function listMissing(given: Given): readonly string[] {
  const missing = questions.filter(({ name, preset }) => preset === undefined && given[name] === undefined)
  return missing.map(({ name }) => `--${name}`)
}

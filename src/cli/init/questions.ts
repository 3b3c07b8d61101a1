import { ciFiles, ciSystems } from '../../ci/ci-systems.js'
import {
  type CloudKey,
  type CredentialType,
  cloudKeys,
  connectionFields,
  credentialTypes,
  isCredentialType,
  listCredentialTypes,
  replacedCredential,
  reportedClouds,
} from '../../contract/cloud.js'
import { reportedUserTypes, serverLicenseBefore } from '../../contract/field-notes.js'
import {
  type DeploymentProfile,
  defaultProfile,
  profileNames,
  profileUses,
  reportedProfiles,
} from '../../contract/profiles.js'
import { findQuestionIndex, secretQuestions } from '../../contract/questions.js'
import {
  findIntroduction,
  includes,
  manifestVersions,
  newestReportedVersion,
  newestVersion,
  parseVersion,
  type ServiceVersion,
} from '../../contract/versions.js'
import { placeholder } from '../../manifest/may-be-secret.js'
import { defaultState, isEmulator } from '../../manifest/new-manifest.js'
import type { JsonPointer } from '../../schema/pointer.js'

/** The answers so far, by the names of their options. */
export type Given = { readonly [name in QuestionName]?: string | undefined }

export type QuestionName =
  | 'name'
  | 'url'
  | 'service-version'
  | 'profile'
  | 'availability-profile'
  | 'performance-profile'
  | 'cloud'
  | 'credential'
  | 'bucket'
  | 'region'
  | 'root-dir'
  | 'storage-account'
  | 'client-id'
  | 'storage-class'
  | 'volume-size'
  | 'username'
  | 'email'
  | 'full-name'
  | 'user-type'
  | 'question'
  | 'license'
  | 'server-license'
  | 'sign-in'
  | 'token'
  | 'state'
  | 'ci'

/** A question about a new manifest. */
interface InitQuestion {
  readonly message: string
  /** The place of the answer in the manifest, to which its diagnostics refer. Default: that in `answerPlaces`. */
  readonly pointer?: JsonPointer
  choices?(given: Given): readonly string[]
  /** The text that a person sees for a choice; by default its name. */
  label?(choice: string): string
  /** Returns the default answer, with or without a terminal. If absent, the answer is required. */
  preset?(given: Given): string
  /** The fields of cloud storage that get the answer. */
  readonly cloudFields?: readonly string[]
  /** True if the answer is immutable once the organization exists, so a note shows its default. */
  readonly isFinal?: true
  /** Returns false if other answers make the question needless. */
  applies?(given: Given): boolean
}

/** The answer that chooses the smallest size of each volume. */
export const smallest = 'smallest'

const storageClasses = Object.values(reportedClouds)
  .map(({ storageClass }) => storageClass)
  .join(', ')

/** An immutable value that nobody can guess has no default; the placeholder fails every check until it is replaced. */
const onlyTheUserKnows = () => placeholder

/** Every question by the name of its option, in the order in which people are asked. */
export const questionsByName: Readonly<Record<QuestionName, InitQuestion>> = {
  name: { message: 'Name of the site in plans and reports?' },
  url: { message: 'Base URL of its administrator API?' },
  'service-version': {
    message: `Version of the service? (such as ${newestVersion}; known: ${manifestVersions[0]} to ${newestReportedVersion})`,
    preset: () => newestVersion,
  },
  profile: {
    message: 'Architecture profile?',
    choices: () => profileNames,
    label: choice => `${choice}: ${profileUses.profile[choice]}`,
    preset: () => defaultProfile,
    isFinal: true,
    applies: given => !hasDeploymentProfiles(given),
  },
  'availability-profile': askForProfile('availability'),
  'performance-profile': askForProfile('performance'),
  cloud: {
    message: 'Where are its objects stored?',
    pointer: '/spec/cloudStorage',
    choices: () => ['none', ...cloudKeys],
    label: choice => findCloud(choice)?.service ?? 'in the cluster',
    preset: () => 'none',
    isFinal: true,
    applies: given => includes(readVersion(given), findIntroduction('cloudConfig')),
  },
  credential: {
    message: 'How does it sign in there?',
    choices: credentialsFor,
    label: choice => (isCredentialType(choice) ? `${choice}: ${credentialTypes[choice].meaning}` : choice),
    preset: given => credentialsFor(given)[0] ?? '',
    applies: given => cloudIn(given) !== undefined,
  },
  bucket: askForCloud('Bucket or container? (cannot be changed later)', ['bucketName', 'containerName']),
  region: askForCloud('Region of the bucket?', ['region']),
  'root-dir': askForCloud('Folder for this site in the bucket or container?', ['rootDir']),
  'storage-account': askForCloud('Name of the storage account?', ['storageAccountName']),
  'client-id': askForCloud('Client ID of the managed identity?', ['managedIdentityClientId']),
  'storage-class': {
    message: `Storage class of the volumes? (such as ${storageClasses})`,
    pointer: '/spec/volumes/RELATIONAL_PRIMARY/storageClass',
    preset: onlyTheUserKnows,
  },
  'volume-size': {
    message: `Volume size? (for example 64Gi, or ${smallest})`,
    pointer: '/spec/volumes',
    preset: () => smallest,
    isFinal: true,
  },
  username: { message: 'User name of the first administrator?', preset: () => 'siteadmin', isFinal: true },
  email: { message: 'E-mail address of the administrator?' },
  'full-name': { message: 'Full name of the administrator?', preset: () => 'Site Administrator' },
  'user-type': {
    message: `User type of the administrator? (such as ${reportedUserTypes[0]})`,
    preset: () => reportedUserTypes[0],
  },
  question: {
    message: 'Secret question? (its answer is a secret of your own)',
    choices: () => secretQuestions.map(text => String(findQuestionIndex(text))),
    label: choice => secretQuestions[Number(choice) - 1] ?? choice,
    preset: () => String(findQuestionIndex('What is your dream job?')),
  },
  license: {
    message: 'License file? (a path below the folder of the manifest)',
    preset: () => 'licenses/site.json',
  },
  'server-license': {
    message: 'Server license file?',
    preset: () => 'licenses/server.ecp',
    applies: given => !includes(readVersion(given), serverLicenseBefore),
  },
  'sign-in': {
    message: 'Which account signs in for a token?',
    pointer: '/spec/site/signIn',
    preset: () => 'administrator',
    // The default suits everybody without another account.
    applies: () => false,
  },
  token: {
    message: 'Where is the token?',
    pointer: '/spec/site/token',
    preset: () => '',
    applies: () => false,
  },
  state: {
    message: 'Where is its state kept? (or kubernetes:CONTEXT/NAMESPACE, s3:…, file:DIR)',
    pointer: '/spec/state',
    preset: () => defaultState,
    // The state of an emulated site is kept beside the manifest.
    applies: ({ url = '' }) => !isEmulator(url),
  },
  ci: {
    message: 'Also write a CI workflow?',
    choices: () => ['none', ...ciSystems],
    label: choice => {
      const system = ciSystems.find(one => one === choice)
      return system === undefined ? 'no' : `for ${ciFiles[system].product}`
    },
    preset: () => 'none',
  },
}

/** Every question, in that order. */
export const questions = (Object.keys(questionsByName) as QuestionName[]).map(name => ({
  name,
  ...questionsByName[name],
}))

function askForCloud(message: string, cloudFields: readonly string[]): InitQuestion {
  return { message, pointer: '/spec/cloudStorage', cloudFields, preset: onlyTheUserKnows }
}

function askForProfile(name: DeploymentProfile): InitQuestion {
  const uses: Readonly<Record<string, string>> = profileUses[name]
  return {
    message: `${name === 'availability' ? 'Availability' : 'Performance'} profile?`,
    choices: () => Object.keys(uses),
    label: choice => `${choice}: ${uses[choice]}`,
    preset: () => 'standard',
    isFinal: true,
    applies: hasDeploymentProfiles,
  }
}

/** Tests for a version with two profiles instead of one. Without a version, a given availability profile decides. */
function hasDeploymentProfiles(given: Given): boolean {
  if (given.profile !== undefined) return false
  const version = parseVersion(given['service-version'] ?? '')
  return version === undefined
    ? given['availability-profile'] !== undefined && given['service-version'] === undefined
    : includes(version, reportedProfiles.since)
}

/** Tests whether the question applies with these answers. */
export function applies(name: QuestionName, given: Given): boolean {
  const { applies: fits, cloudFields } = questionsByName[name]
  if (cloudFields !== undefined) return cloudFields.some(field => listCloudFields(given).includes(field))
  return fits?.(given) ?? true
}

/** Lists the fields of cloud storage that only the user knows. */
function listCloudFields(given: Given): readonly string[] {
  const credential = cloudIn(given) && readAnswer('credential', given)
  if (!isCredentialType(credential)) return []
  const { provider, secret, beside = [] }: CredentialType = credentialTypes[credential]
  return [...connectionFields[provider], ...beside, ...secret].map(({ name }) => name)
}

/** Returns the given answer, else its default; empty if an answer is required. */
export function readAnswer(name: QuestionName, given: Given): string {
  return given[name] ?? questionsByName[name].preset?.(given) ?? ''
}

/** Lists the defaults that cannot be changed later and that no option gave, as options. */
export function listFinalDefaults(given: Given, answers: Given): readonly string[] {
  return questions
    .filter(({ name, isFinal }) => isFinal && given[name] === undefined && applies(name, answers))
    .map(({ name }) => ({ name, answer: readAnswer(name, answers) }))
    .filter(({ name, answer }) => answer === readAnswer(name, { ...answers, [name]: undefined }))
    .map(({ name, answer }) => `--${name} ${answer}`)
}

/** Reads the version, which determines the fields. */
function readVersion(given: Given): ServiceVersion {
  return parseVersion(readAnswer('service-version', given)) ?? newestVersion
}

function cloudIn(given: Given): (typeof reportedClouds)[CloudKey] | undefined {
  return findCloud(readAnswer('cloud', given))
}

function findCloud(choice: string): (typeof reportedClouds)[CloudKey] | undefined {
  const key = cloudKeys.find(one => one === choice)
  return key && reportedClouds[key]
}

function credentialsFor(given: Given): readonly string[] {
  const cloud = cloudIn(given)
  if (cloud === undefined) return []
  const { provider } = cloud
  const version = readVersion(given)
  const { type: replaced, since: replacedSince } = replacedCredential
  return listCredentialTypes(version).filter(
    name =>
      credentialTypes[name].provider === provider && (name !== replaced || !includes(version, replacedSince)),
  )
}

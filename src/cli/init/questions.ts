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
  type ArchitectureProfile,
  architectureProfiles,
  defaultProfile,
  profileNames,
} from '../../contract/profiles.js'
import { findQuestionIndex, secretQuestions } from '../../contract/questions.js'
import {
  compareVersions,
  findIntroduction,
  includes,
  manifestVersions,
  newestVersion,
  parseVersion,
} from '../../contract/versions.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import { placeholder } from '../../manifest/may-be-secret.js'

/** The answers so far, by the names of their options. */
export type Given = { readonly [name in QuestionName]?: string | undefined }

export type QuestionName =
  | 'name'
  | 'url'
  | 'service-version'
  | 'profile'
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
  | 'ci'

/** One thing that a new manifest needs to know. */
export interface InitQuestion {
  readonly name: QuestionName
  readonly message: string
  /** The place of the answer in the manifest; diagnostics there are about it. */
  readonly pointer?: JsonPointer
  choices?(given: Given): readonly string[]
  /** The meaning of a choice. */
  hint?(choice: string): string | undefined
  /** The answer of who gives none; without it somebody must. */
  preset?(given: Given): string
  /** Offered instead of the default to who is asked. */
  suggestion?(given: Given): string
  /** The field of cloud storage that has the answer; a placeholder stands there without one. */
  readonly cloudFields?: readonly string[]
  /** Nothing changes the answer once the organization exists, so that its default is worth a note. */
  readonly isFinal?: true
  /** False where other answers leave nothing to ask. */
  applies?(given: Given): boolean
}

/** Chooses the smallest size of each volume. */
export const smallest = 'smallest'

/** Every question, in the order in which people are asked. */
export const questions: readonly InitQuestion[] = [
  { name: 'name', message: 'What is the site called in plans and reports?', pointer: '/metadata/name' },
  { name: 'url', message: 'What is the base URL of its administrator API?', pointer: '/spec/site/url' },
  {
    name: 'service-version',
    message: `Which version does it run, such as ${manifestVersions.join(', ')}?`,
    pointer: '/spec/site/version',
    preset: () => newestVersion,
  },
  {
    name: 'profile',
    message: 'Which architecture profile?',
    pointer: '/spec/profile',
    choices: () => profileNames,
    hint: choice => (isProfile(choice) ? architectureProfiles[choice].use : undefined),
    preset: () => defaultProfile,
    isFinal: true,
  },
  {
    name: 'cloud',
    message: 'Where are its objects kept?',
    pointer: '/spec/cloudStorage',
    choices: () => ['none', ...cloudKeys],
    preset: () => 'none',
    isFinal: true,
    applies: given => {
      const version = parseVersion(readAnswer('service-version', given))
      return version === undefined || includes(version, findIntroduction('cloudConfig'))
    },
  },
  {
    name: 'credential',
    message: 'How does it sign in there?',
    choices: credentialsFor,
    hint: choice => (isCredentialType(choice) ? credentialTypes[choice].meaning : undefined),
    preset: given => credentialsFor(given)[0] ?? '',
    applies: given => cloudIn(given) !== undefined,
  },
  {
    name: 'bucket',
    message: 'Which bucket or container keeps them? It cannot be changed later.',
    pointer: '/spec/cloudStorage',
    cloudFields: ['bucketName', 'containerName'],
  },
  {
    name: 'region',
    message: 'In which region is the bucket?',
    pointer: '/spec/cloudStorage',
    cloudFields: ['region'],
  },
  {
    name: 'root-dir',
    message: 'Which folder in it belongs to the site?',
    pointer: '/spec/cloudStorage',
    cloudFields: ['rootDir'],
  },
  {
    name: 'storage-account',
    message: 'What is the storage account called?',
    pointer: '/spec/cloudStorage',
    cloudFields: ['storageAccountName'],
  },
  {
    name: 'client-id',
    message: 'What is the client ID of the managed identity?',
    pointer: '/spec/cloudStorage',
    cloudFields: ['managedIdentityClientId'],
  },
  {
    name: 'storage-class',
    message: 'Which storage class do its volumes have?',
    pointer: '/spec/volumes/RELATIONAL_PRIMARY/storageClass',
    // Only who knows the cluster knows its classes, and a volume keeps its class.
    preset: () => placeholder,
    suggestion: given => reportedClouds[cloudIn(given) ?? 'aws'].storageClass,
  },
  {
    name: 'volume-size',
    message: `Which size have its volumes, such as 64Gi, or ${smallest} for those of the deployment guides?`,
    pointer: '/spec/volumes',
    preset: () => smallest,
    isFinal: true,
  },
  {
    name: 'username',
    message: 'What is the user name of the first administrator?',
    pointer: '/spec/administrator/username',
    preset: () => 'siteadmin',
    isFinal: true,
  },
  {
    name: 'email',
    message: 'What is the e-mail address of the administrator?',
    pointer: '/spec/administrator/email',
  },
  {
    name: 'full-name',
    message: 'What is the full name of the administrator?',
    pointer: '/spec/administrator/fullName',
    preset: () => 'Site Administrator',
  },
  {
    name: 'user-type',
    message: `Which user type, such as ${reportedUserTypes.join(', ')}?`,
    pointer: '/spec/administrator/userType',
    preset: () => reportedUserTypes[0],
  },
  {
    name: 'question',
    message: 'Which secret question? Its answer is a secret of your own.',
    pointer: '/spec/administrator/securityQuestion/index',
    choices: () => secretQuestions.map(text => String(findQuestionIndex(text))),
    hint: choice => secretQuestions[Number(choice) - 1],
    preset: () => String(findQuestionIndex('What is your dream job?')),
  },
  {
    name: 'license',
    message: 'Where is the license file, below the folder of the manifest?',
    pointer: '/spec/license/file',
    preset: () => 'licenses/site.json',
  },
  {
    name: 'server-license',
    message: 'Where is the server license file?',
    pointer: '/spec/license/serverFile',
    preset: () => 'licenses/server.ecp',
    applies: given => {
      const version = parseVersion(readAnswer('service-version', given))
      return version !== undefined && compareVersions(version, serverLicenseBefore) < 0
    },
  },
  {
    name: 'sign-in',
    message: 'Which account signs in for a token?',
    pointer: '/spec/site/signIn',
    preset: () => 'administrator',
    // The default fits everybody who has no other account yet.
    applies: () => false,
  },
  {
    name: 'token',
    message: 'Where is the token?',
    pointer: '/spec/site/token',
    preset: () => '',
    applies: () => false,
  },
  {
    name: 'ci',
    message: 'Write a CI workflow, too?',
    choices: () => ['none', 'github', 'gitlab'],
    preset: () => 'none',
  },
]

/** False where other answers leave nothing to ask. */
export function applies(name: QuestionName, given: Given): boolean {
  const { applies: fits, cloudFields } = findQuestion(name)
  if (cloudFields !== undefined) return cloudFields.some(field => listCloudFields(given).includes(field))
  return fits?.(given) ?? true
}

/** The fields of cloud storage that only the user knows. */
function listCloudFields(given: Given): readonly string[] {
  const credential = cloudIn(given) && readAnswer('credential', given)
  if (!isCredentialType(credential)) return []
  const { provider, secret, beside = [] }: CredentialType = credentialTypes[credential]
  return [...connectionFields[provider], ...beside, ...secret].map(({ name }) => name)
}

/** The question of a name. */
export function findQuestion(name: QuestionName): InitQuestion {
  const found = questions.find(question => question.name === name)
  if (found === undefined) throw new Error(`no such question: ${name}`)
  return found
}

/** Returns the given answer, else its default; empty where an answer is required. */
export function readAnswer(name: QuestionName, given: Given): string {
  return given[name] ?? findQuestion(name).preset?.(given) ?? ''
}

/** Lists the defaults of a new manifest that cannot be changed later, as options. */
export function listFinalDefaults(given: Given): readonly string[] {
  return questions
    .filter(({ name, isFinal }) => isFinal && given[name] === undefined && applies(name, given))
    .map(({ name }) => `--${name} ${readAnswer(name, given)}`)
}

function cloudIn(given: Given): CloudKey | undefined {
  const cloud = readAnswer('cloud', given)
  return cloudKeys.find(key => key === cloud)
}

function credentialsFor(given: Given): readonly string[] {
  const cloud = cloudIn(given)
  if (cloud === undefined) return []
  const { provider } = reportedClouds[cloud]
  const version = parseVersion(readAnswer('service-version', given) ?? '') ?? newestVersion
  const { type: replaced, since: replacedSince } = replacedCredential
  return listCredentialTypes(version).filter(
    name =>
      credentialTypes[name].provider === provider && (name !== replaced || !includes(version, replacedSince)),
  )
}

function isProfile(text: string): text is ArchitectureProfile {
  return Object.hasOwn(architectureProfiles, text)
}

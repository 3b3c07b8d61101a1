import type { CredentialTypeName } from '../contract/cloud.js'
import { recommendedLabels, serverLicenseBefore, smallestSizes } from '../contract/field-notes.js'
import { limits } from '../contract/field-row.js'
import {
  architectureProfiles,
  type DeploymentProfile,
  profileNames,
  reportedProfiles,
} from '../contract/profiles.js'
import { secretQuestions } from '../contract/questions.js'
import { vendorPages } from '../contract/vendor-pages.js'
import { documentedProvisioningType, type VolumeComponent, volumeComponents } from '../contract/volumes.js'
import { apiVersion, type JsonValue, kind } from '../schema/json-schema.js'
import type { JsonPointer } from '../schema/pointer.js'
import { listMembers } from '../schema/select.js'
import type { SecretReference } from './manifest.js'
import { placeholder } from './may-be-secret.js'
import { formatCloudStorage, formatOptionalSections, type OptionalSectionName } from './optional-sections.js'
import { isLoopback } from './site-url.js'
import { formatYamlComment, formatYamlText } from './yaml-text.js'

/** A volume of a new manifest; unknown fields are absent, and the rules report them. */
export interface NewVolume {
  readonly provisioningType?: string
  readonly size?: string
  readonly storageClass?: string
  readonly labels?: Readonly<Record<string, string>>
}

/** The volumes with at least one known field. */
export type NewVolumes = Readonly<Partial<Record<VolumeComponent, NewVolume>>>

/** The source of each command's token: a sign-in with an account, or a reference to a token. */
export type SiteAccess =
  | { readonly kind: 'administrator' }
  | { readonly kind: 'account'; readonly username: string; readonly password: SecretReference }
  | { readonly kind: 'token'; readonly token: SecretReference }

/** The pointers of the fields that a property file or an option of `init` sets, by option name. */
export const answerPlaces = {
  name: '/metadata/name',
  url: '/spec/site/url',
  'service-version': '/spec/site/version',
  profile: '/spec/profile',
  'availability-profile': '/spec/deploymentProfiles/availability/name',
  'performance-profile': '/spec/deploymentProfiles/performance/name',
  username: '/spec/administrator/username',
  email: '/spec/administrator/email',
  'full-name': '/spec/administrator/fullName',
  'user-type': '/spec/administrator/userType',
  question: '/spec/administrator/securityQuestion/index',
  license: '/spec/license/file',
  'server-license': '/spec/license/serverFile',
} as const satisfies Readonly<Record<string, JsonPointer>>

export type AnsweredName = keyof typeof answerPlaces

type ReadSection = Exclude<OptionalSectionName, 'folders' | 'logLevel'>

/** The answers that a new manifest is made from, not yet validated. */
export interface ManifestAnswers {
  readonly name: string
  readonly url: string
  readonly version: string
  readonly profile: string
  /** The two profiles that replace it in newer versions. */
  readonly deploymentProfiles?: Readonly<Record<DeploymentProfile, string>> | undefined
  /** Absent if the site keeps its objects in the cluster. */
  readonly credential?: CredentialTypeName | undefined
  /** The values of cloud storage by field; the others are placeholders. */
  readonly cloudValues?: Readonly<Record<string, string>>
  readonly storageClass: string
  /** The size of all volumes; without it, each has its smallest size. */
  readonly size?: string | undefined
  readonly username: string
  /** The environment variable for the password; by default that of the examples. */
  readonly password?: string
  readonly email: string
  readonly fullName: string
  readonly userType: string
  /** Number of the secret question. */
  readonly question: string
  readonly license: string
  readonly serverLicense?: string | undefined
  /** The known volumes; without them, all volumes get the smallest sizes and the recommended labels. */
  readonly volumes?: NewVolumes
  readonly folders?: readonly string[]
  readonly logLevel?: string | undefined
  /** The state location. By default `defaultState`; for an emulator, only as a comment. */
  readonly state?: string | undefined
  /** The source of each command's token; absent if the manifest does not declare one. */
  readonly access?: SiteAccess | undefined
  /** Values of further sections, each in place of its example. A value that only the user knows is a placeholder. */
  readonly sections?: Readonly<Partial<Record<ReadSection, JsonValue>>>
  /** Further sections whose values are unknown. */
  readonly unknown?: readonly OptionalSectionName[]
}

/**
 * Formats a manifest with a comment on every section. Invalid answers are included unchanged, for `loadManifest` to
 * report. `schema` is the path or URL of the JSON Schema for editors.
 */
export function formatNewManifest(answers: ManifestAnswers, schema?: string): string {
  const { name, url, version, license, serverLicense, credential } = answers
  return `${schema === undefined ? '' : `# yaml-language-server: $schema=${schema}\n#\n`}\
# The desired state of one site. \`landform validate\` checks this file,
# \`landform plan\` shows the changes, and \`landform explain spec.volumes\`
# explains a field. Lines that begin with # and a name are examples.
# The vendor's page about these settings:
# ${vendorPages.configure}
apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  # Name of the site in plans, records and reports: lower-case letters, digits,
  # hyphens and dots.
  name: ${formatYamlText(name)}
spec:
  # The base URL of the administrator API, and the service version, in quotes:
  # it determines which fields are available.
  site:
    url: ${formatYamlText(url)}
    version: ${formatYamlText(version)}
${formatAccess(answers)}\
${formatStateSection(answers)}\
  # License files, as paths below the folder of this file${serverLicense === undefined ? '.' : `; the server license\n  # is required before version ${serverLicenseBefore} (reported by the vendor's 10.9.1\n  # configuration script).`}
  license: { file: ${formatYamlText(license)}${serverLicense === undefined ? '' : `, serverFile: ${formatYamlText(serverLicense)}`} }
${formatAdministrator(answers)}\
${formatProfiles(answers)}\
${formatVolumes(answers)}\
${credential === undefined ? '' : formatCloudStorage(credential, answers.cloudValues)}\
${formatOptionalSections(version, {
  chosen: selectChosen(answers),
  unknown: answers.unknown,
  ...(credential !== undefined && { written: ['cloudStorage'] }),
})}`
}

function formatProfiles({ profile, deploymentProfiles }: ManifestAnswers): string {
  if (deploymentProfiles === undefined)
    return `\
  # The redundancy and the hardware it needs:
  # ${vendorPages.profiles}
${profileNames.map(one => formatYamlComment(`${one}: ${architectureProfiles[one].use}`)).join('')}\
  profile: ${formatYamlText(profile)}
`
  const profiles = Object.entries(reportedProfiles.names)
  const uses = profiles.flatMap(([name, { options }]) =>
    Object.entries(options).map(([one, use]) => formatYamlComment(`${name} ${one}: ${use}`)),
  )
  const fields = profiles.map(
    ([name]) =>
      `    ${name}: { name: ${formatYamlText(deploymentProfiles[name as DeploymentProfile])}, parameter: ${placeholder} }\n`,
  )
  return `\
  # The two profiles of the deployment. No public source names their request
  # parameters: copy the names from the \`configure\` page of the site.
${uses.join('')}\
  deploymentProfiles:
${fields.join('')}`
}

/** The state location of a new manifest. */
export const defaultState = 'git:origin'

/** True for the address of an emulator on this machine, which keeps its state next to the manifest. */
export function isEmulator(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url).hostname)
}

function formatStateSection({ url, state }: ManifestAnswers): string {
  return `\
  # Where state is kept, so that no request is repeated: git:REMOTE, file:DIR on
  # a persistent disk, s3:BUCKET/PREFIX, azblob:ACCOUNT/CONTAINER/PREFIX,
  # kubernetes:CONTEXT/NAMESPACE or postgres:env:NAME. Optional for an emulator.
  ${state === undefined && isEmulator(url) ? '#' : ''}state: ${formatYamlText(state ?? defaultState)}
`
}

/** Formats the source of each command's token. */
function formatAccess({ access }: ManifestAnswers): string {
  switch (access?.kind) {
    case undefined:
      return ''
    case 'token':
      return `\
    # A configured site asks for a token; tokens end after hours.
    token: ${formatReference(access.token)}
`
    case 'administrator':
      return `\
    # A configured site asks for a token, so each command signs in for its own.
    signIn: { as: administrator }
`
    case 'account':
      return `\
    # A configured site asks for a token, so each command signs in for its own.
    signIn: { username: ${formatYamlText(access.username)}, password: ${formatReference(access.password)} }
`
    default:
      return access satisfies never
  }
}

function formatReference(reference: SecretReference): string {
  const [[kind, where] = ['env', '']] = Object.entries(reference)
  return `{ ${kind}: ${formatYamlText(String(where))} }`
}

function formatAdministrator(answers: ManifestAnswers): string {
  const { username, password = 'LANDFORM_ADMIN_PASSWORD', email, fullName, userType, question } = answers
  const text = secretQuestions[Number(question) - 1]
  return `\
  # The first administrator. The user name has at least ${limits.usernameCharacters} characters; the
  # license must include the user type, which must fit the administrator role.
  # Secrets are only referred to: { env: LANDFORM_NAME } or { file: path }. The
  # password has at least ${limits.passwordCharacters} characters, with a letter and a digit. Optional:
  # firstName, lastName, description.
  administrator:
    username: ${formatYamlText(username)}
    password: { env: ${password} }
    email: ${formatYamlText(email)}
    fullName: ${formatYamlText(fullName)}
    userType: ${formatYamlText(userType)}
    # The number of the question, from 1 to ${secretQuestions.length}.
    securityQuestion:
      index: ${/^\d{1,9}$/.test(question) ? Number(question) : formatYamlText(question)}${text === undefined ? '' : ` # ${text}`}
      answer: { env: LANDFORM_SECURITY_ANSWER }
`
}

/** Selects the answers that replace examples. */
function selectChosen({
  folders = [],
  logLevel,
  sections = {},
}: ManifestAnswers): Readonly<Record<string, string>> {
  return {
    ...(folders.length > 0 && { folders: ` [${folders.map(formatYamlText).join(', ')}]` }),
    ...(logLevel !== undefined && { logLevel: ` ${formatYamlText(logLevel)}` }),
    ...Object.fromEntries(
      Object.entries(sections).map(([name, value]) => [name, formatBlock(value, '    ')]),
    ),
  }
}

/** Formats a value after its key: a text on the same line, members below it. */
function formatBlock(value: JsonValue, indent: string): string {
  if (typeof value === 'string') return ` ${formatYamlText(value)}`
  const members = listMembers(value)
  if (members.length === 0) return ` ${JSON.stringify(value)}`
  const lines = members.map(([name, member]) => {
    const text = formatBlock(member, `${indent}  `)
    return Array.isArray(value)
      ? `${indent}- ${text.trimStart()}`
      : `${indent}${formatYamlText(name)}:${text}`
  })
  return `\n${lines.join('\n')}`
}

function formatVolumes({ volumes: known, storageClass, credential, size }: ManifestAnswers): string {
  const given = (component: VolumeComponent) => {
    const { labels = {}, provisioningType = documentedProvisioningType, ...others } = known?.[component] ?? {}
    const fields = { ...(provisioningType !== documentedProvisioningType && { provisioningType }), ...others }
    const texts = Object.entries(fields).map(([name, text]) => [name, formatYamlText(text)])
    return formatVolume(component, Object.fromEntries(texts), labels)
  }
  const created = (component: VolumeComponent, at: number) => {
    // Not for objects in cloud storage: a warning would report that the larger size is ignored.
    const own = component === 'BLOB' && credential !== undefined ? undefined : size
    const fields = {
      size: formatYamlText(own ?? smallestSizes[component]),
      storageClass: formatStorageClass(storageClass, at),
    }
    return formatVolume(component, fields, recommendedLabels[component])
  }
  const comments = `\
${size === undefined ? '  # The sizes are the smallest in the deployment guides.\n' : ''}\
  # \`kubectl get storageclass\` lists the storage classes of the cluster.
  # The labels are those of the deployment guides.
${credential === undefined ? '' : '  # BLOB is reported to be ignored with cloud storage, but the service document\n  # requires it.\n'}`
  return `\
  # Each of the ${limits.volumes} components has one volume. Choose the sizes carefully: most
  # volumes cannot be expanded after the site is configured.
${known === undefined ? comments : ''}\
  volumes:
${
  known === undefined
    ? volumeComponents.map(created).join('')
    : volumeComponents
        .filter(component => known[component] !== undefined)
        .map(given)
        .join('')
}`
}

/** Formats a volume whose fields are YAML already. */
function formatVolume(
  component: VolumeComponent,
  fields: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): string {
  const pairs = Object.entries(labels).map(
    ([key, value]) => `${formatYamlText(key)}: ${formatYamlText(value)}`,
  )
  const all = { ...fields, ...(pairs.length > 0 && { labels: `{ ${pairs.join(', ')} }` }) }
  const lines = Object.entries(all).map(([name, value]) => `      ${name}: ${value}\n`)
  return `    ${component}:${lines.length === 0 ? ' {}' : ''}\n${lines.join('')}`
}

/** Formats the storage class that all volumes share. For a placeholder, uses an anchor, so it is filled in once. */
function formatStorageClass(storageClass: string, at: number): string {
  if (storageClass !== placeholder) return formatYamlText(storageClass)
  return at === 0 ? `&storageClass ${placeholder}` : '*storageClass'
}

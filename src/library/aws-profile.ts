import { join } from 'node:path'
import { readLimited } from './read-files.js'

type Environment = Readonly<Record<string, string | undefined>>

/** The settings of one profile in the files of the AWS tools, as far as Landform reads them. */
interface AwsProfile {
  readonly name: string
  readonly region: string | undefined
  readonly endpointUrl: string | undefined
  readonly accessKeyId: string | undefined
  readonly secretAccessKey: string | undefined
  readonly sessionToken: string | undefined
  /** True if only the AWS program can obtain the credentials: those of a role, SSO, or a credential process. */
  readonly isIndirect: boolean
}

/** Far larger than such a file. */
const maxBytes = 4 * 1024 * 1024
const indirect = [
  'role_arn',
  'sso_session',
  'sso_start_url',
  'credential_process',
  'source_profile',
  'login_session',
]

/** Reads the profile that `AWS_PROFILE` names, or `default`, in `~/.aws/config` and `~/.aws/credentials`. */
export function readAwsProfile(environment: Environment): AwsProfile {
  const { AWS_PROFILE, AWS_DEFAULT_PROFILE, HOME, AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE } = environment
  const name = AWS_PROFILE || AWS_DEFAULT_PROFILE || 'default'
  const inHome = (file: string) => HOME && join(HOME, '.aws', file)
  const section = name === 'default' ? ['default', 'profile default'] : [`profile ${name}`]
  const config = readSection(AWS_CONFIG_FILE || inHome('config'), section)
  const credentials = readSection(AWS_SHARED_CREDENTIALS_FILE || inHome('credentials'), [name])
  const read = (key: string) => credentials.get(key) ?? config.get(key)
  return {
    name,
    region: read('region'),
    endpointUrl: read('endpoint_url'),
    accessKeyId: read('aws_access_key_id'),
    secretAccessKey: read('aws_secret_access_key'),
    sessionToken: read('aws_session_token'),
    isIndirect: indirect.some(key => read(key) !== undefined),
  }
}

/** Reads the settings of one section, without nested (indented) ones. */
function readSection(file: string | undefined, names: readonly string[]): ReadonlyMap<string, string> {
  const read = file ? readLimited(file, { maxBytes }) : undefined
  const found = new Map<string, string>()
  let isInside = false
  for (const line of read?.ok ? read.value.toString('utf8').split('\n') : []) {
    const [, title] = /^\[\s*(.*?)\s*\]/.exec(line) ?? []
    if (title !== undefined) isInside = names.includes(title.replaceAll(/\s+/g, ' '))
    const [, key, value] = /^([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (isInside && key !== undefined && value) found.set(key.toLowerCase(), value)
  }
  return found
}

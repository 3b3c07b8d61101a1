import type { CommandEntry } from '../../src/cli/command.js'

/** Tests whether a command must never change a site. */
export function isReadOnly({ touches }: Pick<CommandEntry, 'touches'>): boolean {
  return touches === 'nothing' || touches === 'looks'
}

/** Tests whether a command line reads a site without changing it. */
export function looksAtSite({ touches }: Pick<CommandEntry, 'touches'>, args: readonly string[]): boolean {
  return (touches === 'looks' && !args.includes('--offline')) || args.includes('--live')
}

/** Tests whether a command reads manifests, or tests of them. */
export function readsManifest({ name, arguments: words }: CommandEntry): boolean {
  return !['init', 'adopt', 'show'].includes(name) && words.some(one => /^(?:files?|tests)$/.test(one.name))
}

/** Files that a command line may name. */
export interface NamedFiles {
  readonly manifest: string
  /** Address of the site that the manifest names. */
  readonly url: string
  /** A saved plan of that manifest. */
  readonly plan: string
  /** A folder for the output of commands. */
  readonly written: string
  readonly signKey: string
  readonly publicKey: string
  readonly policy: string
  readonly storageClasses: string
}

/** Tests whether the file of a command is its output. */
function isNewFile(name: string): boolean {
  return name === 'init' || name === 'adopt'
}

type Samples = Readonly<Record<string, readonly string[] | undefined>>

/** Returns the words of a command line, with a sample for each declared argument. */
export function wordsOf(
  { name, arguments: declared }: CommandEntry,
  files: Pick<NamedFiles, 'manifest' | 'plan' | 'written'>,
): readonly string[] {
  const byName: Samples = {
    file: [name === 'show' ? files.plan : isNewFile(name) ? `${files.written}/new.yaml` : files.manifest],
    files: [files.manifest],
    plans: [files.plan],
    tests: [files.manifest.replace(/\.yaml$/, '.test.yaml')],
    subject: ['spec.profile'],
    path: ['spec.profile'],
    field: ['spec.profile'],
    from: ['file:moved'],
    to: ['file:moved-to'],
    shell: ['bash'],
    service: ['Roads.FeatureServer'],
    sites: ['production'],
    site: ['production'],
  }
  const words = declared.map(argument => byName[argument.name])
  if (words.some(word => word === undefined))
    throw new Error(`say in test/support/command-lines.ts what a word of ${name} can be`)
  return [...name.split(' '), ...words.flatMap(word => word ?? []), ...(needed[name] ?? [])]
}

/** Arguments without which a command fails. */
const needed: Samples = {
  init: ['--name', 'x', '--url', 'https://gis.example.org/admin', '--email', 'a@example.org', '--force'],
}

/** Options that another option requires. */
const companions: Samples = {
  'stdin-filename': ['-'],
  'dry-run': ['--fix'],
  scenario: ['--emulate'],
  'server-license': ['--service-version', '10.9.1'],
  'availability-profile': ['--service-version', '12.1'],
  'performance-profile': ['--service-version', '12.1'],
  credential: ['--cloud', 'aws'],
  bucket: ['--cloud', 'aws'],
  region: ['--cloud', 'aws'],
  'root-dir': ['--cloud', 'gcp'],
  'storage-account': ['--cloud', 'azure', '--credential', 'STORAGE-ACCOUNT-KEY'],
  'client-id': ['--service-version', '11.5', '--cloud', 'azure', '--credential', 'USER-ASSIGNED-IDENTITY'],
  'from-properties': ['--service-version', '11.2'],
}

/** Lists the ways to use one option of a command: each choice, each format to stdout and to a file, or a sample. */
export function waysToGive(
  { name, options }: CommandEntry,
  option: string,
  files: NamedFiles,
): readonly (readonly string[])[] {
  const declared = options[option]
  if (declared === undefined || (needed[name] ?? []).includes(`--${option}`)) return []
  const beside =
    option === 'sign-key' || (option === 'force' && name === 'probe')
      ? ['--out', `${files.written}/other.json`]
      : option === 'state' && name === 'render'
        ? ['--origins']
        : (companions[option] ?? [])
  // Only sites without a manifest take this option: `test/cli/signing-in.test.ts`.
  if (option === 'sign-in' && name !== 'init') return []
  if (declared.kind === 'flag') return [[...beside, `--${option}`]]
  const given = (value: string) => [...beside, `--${option}`, value]
  if (option === 'credential') return [given('ACCESS-KEY')]
  if (declared.choices !== undefined) return declared.choices.map(given)
  if (option === 'format')
    return formatsOf(declared.suggests).flatMap(format => [
      given(format),
      given(`${format}=${files.written}/report`),
    ])
  const samples: Samples = {
    'service-version': ['11.2'],
    'stdin-filename': ['site.yaml'],
    'max-problems': ['5'],
    out: [`${files.written}/out.json`],
    expires: ['1h'],
    'sign-key': [`file:${files.signKey}`],
    'require-signature': [files.publicKey],
    'ignore-immutable': ['spec.profile'],
    policy: [files.policy],
    concurrency: ['2'],
    'storage-classes': [files.storageClasses],
    'min-coverage': ['0'],
    url: [files.url],
    'allow-origin': [files.url],
    name: ['production'],
    'sign-in': ['siteadmin'],
    scenario: ['flaky-polls'],
    timeout: ['1m'],
    'poll-interval': ['5s'],
    'wait-ready': ['1m'],
    state: [`file:${files.written}/state`],
    origins: ['spec.profile'],
    'storage-class': ['gp3'],
    bucket: ['objects'],
    region: ['eu-west-1'],
    'root-dir': ['prod'],
    'storage-account': ['gisobjects'],
    'client-id': ['00000000-0000-0000-0000-000000000000'],
    'volume-size': ['64Gi'],
    username: ['siteadmin'],
    'full-name': ['Site Administrator'],
    'user-type': ['creatorUT'],
    question: ['3'],
    license: ['licenses/site.json'],
    'server-license': ['licenses/server.ecp'],
    schema: ['schemas/deployment.schema.json'],
    'from-properties': ['test/migrate/configure.properties'],
    nonce: ['5f0c5f0c'],
    intent: ['5f0c5f0c'],
    database: ['env:LANDFORM_DATABASE_URL'],
    'from-git': ['main'],
    priority: ['5'],
    only: ['running'],
    rollout: ['20260102-5f0c5f'],
    folder: [files.written],
    limit: ['5'],
    'fleet-limit': ['50'],
    lease: ['10s'],
    listen: ['127.0.0.1:0'],
    token: [name === 'probe' ? 'env:LANDFORM_TOKEN' : 'env:LANDFORM_PAGE_TOKEN'],
  }
  const sample = samples[option]
  if (sample === undefined) throw new Error(`say in test/support/command-lines.ts what --${option} can be`)
  return sample.map(given)
}

function formatsOf(suggests: unknown): readonly string[] {
  return Array.isArray(suggests) ? suggests : []
}

import type { CommandEntry } from '../../src/cli/command.js'
import type { Signal } from '../../src/cli/host.js'
import { readsManifest, wordsOf } from './command-lines.js'
import { http, json, type Reply } from './http-double.js'
import { someSecrets } from './some-secrets.js'

/** An address on which nothing listens. */
export const nobody = 'http://127.0.0.1:9/admin'

/** The setup of one run and its expected result. */
export interface Ending {
  readonly exitCode: number
  /** Files of the manifest and of the saved plan. Default: valid ones. */
  readonly manifest?: string
  readonly plan?: string
  /**
   * The site. Default: that of the manifest. Others are unreachable, never ready in time, new, or a double with these replies
   * to a POST and to a GET.
   */
  readonly site?: 'nobody' | 'slow' | 'new' | readonly [toPost: Reply, toGet?: Reply]
  /** The numbers of POSTs that a new site receives and accepts, or of GETs and POSTs that a double receives. */
  readonly received?: readonly number[]
  readonly options?: readonly string[]
  /** True to omit the confirmation that the command requires. */
  readonly lacksConsent?: boolean
  /** The destination of one report, instead of a file. */
  readonly into?: string
  readonly environment?: Readonly<Record<string, string>>
  /** The input at the terminal. Without it there is no terminal. */
  readonly answer?: string
  readonly interrupt?: { readonly signal: Signal; readonly at: 'once' | 'a sleep' | 'GET' | 'POST' }
  /** A pattern for stderr, and a text that no output may contain. */
  readonly says?: RegExp
  readonly hides?: string
  /** Members of the JSON document. */
  readonly document?: object
}

/** An outcome in words, and a run that has it. */
export interface Reached {
  readonly outcome: string
  readonly ending: Ending
}

const has = ({ options }: CommandEntry, option: string) => option in options
const isOneOf = ({ name }: CommandEntry, ...names: readonly string[]) => names.includes(name)
const isApply = ({ name }: CommandEntry) => name === 'apply'
const isExport = ({ name }: CommandEntry) => name === 'export-site'
const isDeletion = ({ name }: CommandEntry) => name === 'webhooks delete-all'
const isOneShot = (entry: CommandEntry) => isExport(entry) || isDeletion(entry)
const hasSite = (entry: CommandEntry) => has(entry, 'allow-origin')
const isOfState = ({ name }: CommandEntry) => name.startsWith('state ')
/** State commands have the address of a site, but send no request. */
const mayObserve = (entry: CommandEntry) => hasSite(entry) && !isOfState(entry)
const mayObserveFirst = (entry: CommandEntry) => mayObserve(entry) && !isOneShot(entry)
const readsFile = (entry: CommandEntry) => readsManifest(entry) || entry.name === 'show'

/** Options for a run with an emulator, which cannot show drift. */
const rehearsed = (entry: CommandEntry) =>
  !has(entry, 'emulate') || entry.name === 'drift'
    ? []
    : ['--emulate', ...(entry.name === 'adopt' ? ['--scenario', 'already-configured'] : [])]
/** The option that makes some commands read the site. */
const liveOptions = (entry: CommandEntry) => (has(entry, 'live') ? ['--live'] : [])
const answered = (entry: CommandEntry, answer: string, ending: Ending) =>
  mayObserveFirst(entry) && { site: [answer, answer] as const, options: liveOptions(entry), ...ending }
const waiting = (entry: CommandEntry, ending: Ending) =>
  has(entry, 'poll-interval') &&
  mayObserve(entry) && {
    site: 'slow' as const,
    options: ['--timeout', '10s', '--poll-interval', '5s', ...(has(entry, 'wait') ? ['--wait'] : [])],
    ...(isApply(entry) && { says: takeUp }),
    ...ending,
  }
const takeUp =
  /\n {2}1\. resume the wait: `landform apply valid\.yaml --url http:\S+ --yes --timeout 10s --poll-interval 5s`/

const page = http(200, '<html>')
const noToken = json({ error: { code: 499, message: 'Token Required.', details: null } })
const unsent = { site: 'new', received: [0, 0] } as const
const unconsented = { exitCode: 78, lacksConsent: true, ...unsent } as const
const weak = { ...someSecrets, LANDFORM_ADMIN_PASSWORD: 'xyzzyplugh' }
const detached = { site: 'new', received: [1, 1], options: ['--detach'] } as const

/** Outcomes, each with the run in which a command has it, or false. */
const outcomes: Readonly<Record<string, (entry: CommandEntry) => Ending | false>> = {
  'goes well': entry => entry.name !== 'emulate' && { exitCode: 0, options: rehearsed(entry) },
  'goes well on an existing site': entry =>
    mayObserveFirst(entry) && entry.name !== 'adopt' && { exitCode: 0 },
  'has warnings': entry =>
    readsManifest(entry) && {
      exitCode: entry.name === 'drift' ? 2 : 0,
      manifest: 'warned.yaml',
      options: rehearsed(entry),
    },
  'finds changes': entry =>
    has(entry, 'detailed-exitcode') && { exitCode: 2, options: ['--emulate', '--detailed-exitcode'] },
  'finds that an expectation does not hold': entry =>
    entry.name === 'test' && { exitCode: 2, manifest: 'differs.yaml' },
  'has an unknown option': () => ({ exitCode: 64, options: ['--no-such-option'] }),
  'is given an invalid file': entry =>
    readsFile(entry) && { exitCode: 65, manifest: 'invalid.yaml', plan: 'damaged.json' },
  'is given a missing file': entry =>
    readsFile(entry) && { exitCode: 66, manifest: 'nowhere.yaml', plan: 'nowhere.json' },
  'cannot reach the site': entry =>
    mayObserve(entry) && { exitCode: 69, site: 'nobody', options: liveOptions(entry) },
  'gets a web page as response': entry => answered(entry, page, { exitCode: 75, hides: '<html>' }),
  'is asked for a token': entry => answered(entry, noToken, { exitCode: 77 }),
  'may not use the site': entry =>
    hasSite(entry) && {
      exitCode: 78,
      options: ['--allow-origin', 'https://other.example.org'],
      ...(entry.name === 'adopt' && { site: 'nobody' as const }),
    },
  'is given a plan that was altered': entry =>
    isOneOf(entry, 'show', 'apply') && { exitCode: 6, manifest: 'altered.json', plan: 'altered.json' },
  'is blocked by an edit of an immutable field': entry =>
    isOneOf(entry, 'plan', 'apply') && { exitCode: 6, manifest: 'blocked.yaml' },
  'cannot read the record': entry =>
    ((isOfState(entry) && entry.name !== 'state move') || isOneOf(entry, 'plan', 'apply', 'drift')) && {
      exitCode: 74,
      options: ['--state', 'file:bad-state'],
    },
  // A report without findings may be empty.
  'cannot write its report': entry =>
    has(entry, 'format') && {
      exitCode: 74,
      into: '/dev/full',
      manifest: 'warned.yaml',
      options: rehearsed(entry),
    },
  'runs out of time': entry => waiting(entry, { exitCode: 3 }),
  'is interrupted while it waits': entry =>
    waiting(entry, { exitCode: 130, interrupt: { signal: 'SIGINT', at: 'a sleep' } }),
  'is terminated while it waits': entry =>
    waiting(entry, { exitCode: 143, interrupt: { signal: 'SIGTERM', at: 'a sleep' } }),
  'is not confirmed': entry => (isApply(entry) || isOneShot(entry)) && unconsented,
  'is answered with another word': entry => isApply(entry) && { ...unconsented, answer: 'y' },
  'may not ask for confirmation': entry =>
    isApply(entry) && { ...unconsented, answer: 'yes', options: ['--no-input'] },
  'is confirmed, and does not wait': entry =>
    isApply(entry) && { exitCode: 3, lacksConsent: true, answer: 'yes', ...detached },
  'lacks its secrets': entry =>
    isApply(entry) && {
      exitCode: 66,
      environment: {},
      says: /admin\n(?:valid\.yaml:\d.*secret\/missing\n(?:[ >].*\n)*\n?){3}(?!\n?valid)/,
      ...unsent,
    },
  'has a password that breaks a rule': entry =>
    isApply(entry) && { exitCode: 65, environment: weak, says: /lacks a digit/, hides: 'xyzzy', ...unsent },
}

/** Lists the runs of a command with their outcomes. */
export function endingsOf(entry: CommandEntry): readonly Reached[] {
  return Object.entries(outcomes).flatMap(([outcome, reach]) => {
    const ending = reach(entry)
    return ending === false ? [] : [{ outcome, ending }]
  })
}

const quickstart = 'examples/quickstart.yaml'
const there = `${quickstart} --url ${nobody}`
const elsewhere = `${quickstart} --url https://gis.example.org/admin`
const newSite = 'init - --name production --url https://gis.example.org/admin --email admin@example.org'
const one = 'written/one'
const origins = { LANDFORM_ALLOWED_ORIGINS: 'https://a.example.org, https://b.example.org' }
const undeclared = 'no state location for https://gis.example.org/admin: `spec.state` is missing'
const denied = 'https://gis.example.org is not one of the allowed origins'

interface More {
  readonly environment?: Readonly<Record<string, string>>
  readonly says?: string
}

/** Other command lines; standard input is a manifest without its license. */
export const lines: readonly (readonly [what: string, exitCode: number, words: string, more?: More])[] = [
  ['a valid manifest', 0, `validate ${quickstart}`],
  ['two manifests', 0, 'validate several/one.yaml several/two.yaml'],
  ['a folder of manifests', 0, 'validate several'],
  ['the help', 0, '--help'],
  ['the help of a command', 0, 'apply --help'],
  ['the version', 0, '--version'],
  ['a rendered manifest on the wire', 0, `render ${quickstart} --wire`],
  ['a new manifest, printed', 0, newSite],
  ['no command', 64, ''],
  ['an unknown command', 64, `aplly ${quickstart}`],
  ['half a command', 64, 'webhooks'],
  ['an option of another command', 64, `validate ${quickstart} --yes`],
  ['a missing argument', 64, 'plan'],
  ['a missing value', 64, `plan ${quickstart} --url`],
  ['an option given twice', 64, `plan ${there} --url ${nobody}`],
  ['an unknown format', 64, `validate ${quickstart} --format xml`],
  ['two formats on stdout', 64, `validate ${quickstart} --format text --format json`],
  ['a report over the manifest', 64, `validate ${quickstart} --format json=${quickstart}`],
  ['a report in a missing folder', 64, `validate ${quickstart} --format json=nowhere/deep/x.json`],
  ['two reports in one file', 64, `validate ${quickstart} --format sarif=${one} --format json=${one}`],
  ['a saved plan of an emulator', 64, `plan ${quickstart} --emulate --out ${one}`],
  ['a saved plan of standard input', 64, `plan - --out ${one}`],
  ['a saved plan with an invalid lifetime', 64, `plan valid.yaml --out ${one} --expires tomorrow`],
  ['an ignored edit of an unknown field', 64, 'plan valid.yaml --ignore-immutable spec.profil'],
  ['a saved plan at an emulator', 64, 'apply plan.json --emulate'],
  ['a saved plan with an ignored edit', 64, 'apply plan.json --ignore-immutable spec.profile'],
  ['a list of nodes, which is not read', 64, `plan ${quickstart} --nodes written/x`],
  [
    'events in the place of a report',
    64,
    `apply --emulate ${quickstart} --format json=${one} --events ${one}`,
  ],
  ['detaching from an emulator that ends with the run', 64, `apply --emulate ${quickstart} --detach`],
  ['an invalid poll interval', 64, `apply ${there} --poll-interval 0`],
  ['an invalid duration', 64, `apply ${there} --timeout 5`],
  ['plain http beyond this machine', 64, `plan ${quickstart} --url http://gis.example.org/admin`],
  ['an address and the emulator', 64, `plan ${there} --emulate`],
  ['a state location with the emulator', 64, `plan ${quickstart} --emulate --state file:written/x`],
  ['an invalid state location', 64, `plan ${there} --state s3:x`],
  ['an export without a folder', 64, `export-site --emulate ${quickstart}`],
  ['a schema of an invalid version', 64, 'schema --service-version new'],
  ['a schema before configure', 64, 'schema --service-version 10.4'],
  ['two documents at once', 64, 'schema --policy --overlay'],
  ['an invalid emulated version', 64, 'emulate --service-version new'],
  ['an emulated version before all operations', 64, 'emulate --service-version 10.3'],
  ['an emulated version of long ago', 64, 'emulate --service-version 9.0'],
  ['an emulated version after the newest', 64, 'emulate --service-version 11.2.1'],
  ['an emulated version far ahead', 64, 'emulate --service-version 99.0'],
  ['an explanation of nothing', 64, 'explain .'],
  ['many sites with an option for one', 64, 'plan examples --storage-classes written/classes.json'],
  ['a dry run without a fix', 64, `validate ${quickstart} --dry-run`],
  ['a fix of standard input', 64, 'validate - --fix'],
  ['a name for standard input that is not read', 64, `validate ${quickstart} --stdin-filename x`],
  ['a check for an invalid version', 64, `validate ${quickstart} --service-version new`],
  ['a rendered manifest in two ways', 64, `render ${quickstart} --wire --origins`],
  ['state for a rendered manifest without origins', 64, `render ${quickstart} --state file:kept`],
  ['a new manifest without its answers', 64, 'init - --name production'],
  ['a credential of another cloud', 64, `${newSite} --cloud aws --credential HMAC-KEYS`],
  ['a credential without a cloud', 64, `${newSite} --credential HMAC-KEYS`],
  ['a server license that is not needed', 64, `${newSite} --server-license x.ecp`],
  ['a workflow with a printed manifest', 64, `${newSite} --ci github`],
  ['a bucket without a cloud', 64, `${newSite} --bucket objects`],
  ['a completion without a shell', 64, 'completion'],
  ['a completion for an unknown shell', 64, 'completion tcsh'],
  ['a device that never ends', 66, 'validate /dev/zero'],
  ['two manifests for one site', 65, 'plan valid.yaml warned.yaml'],
  ['a check for an older version', 65, `validate ${quickstart} --service-version 10.9,11.2`],
  ['a new manifest that would be invalid', 65, `${newSite} --storage-class GP3`],
  ['a cloud before its version', 65, `${newSite} --cloud aws --service-version 11.1`],
  ['a folder to check without a manifest', 66, 'validate licenses'],
  ['a folder to plan without a manifest', 66, 'plan licenses'],
  ['a pattern without a match', 66, 'validate nowhere/*.yaml'],
  ['a check of secrets that are absent', 66, `validate ${quickstart} --check-secrets`, { environment: {} }],
  ['a missing license', 66, `plan - --url ${nobody}`, { says: 'file/missing' }],
  ['a violated rule', 78, 'validate policy/violated.yaml --policy policy/rules/landform.policy.yaml'],
  ['a new manifest over another', 78, newSite.replace('-', quickstart)],
  ...['plan', 'apply', 'drift', 'state show', 'state unlock', 'state discard-intent'].map(
    name => [`${name} without a state location`, 78, `${name} ${elsewhere}`, { says: undeclared }] as const,
  ),
  ['the state of an address without a location', 78, 'state show --url https://gis.example.org/admin'],
  ['two state locations', 78, 'plan declaring.yaml --state file:written/x', { says: 'contradicts' }],
  ['an origin that starts with an allowed one', 78, `plan ${elsewhere} --allow-origin https://gis.example`],
  ['an origin that the environment denies', 78, `plan ${elsewhere}`, { environment: origins, says: denied }],
  ['disabled TLS', 78, `plan ${elsewhere}`, { environment: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } }],
]

/** Returns the arguments of a run, except those for reports; `site` is the address if no emulator is used. */
export function argumentsTo(entry: CommandEntry, ending: Ending, site: string): readonly string[] {
  const { manifest = 'valid.yaml', plan = 'plan.json', options = [], lacksConsent = false } = ending
  return [
    ...wordsOf(entry, { manifest, plan, written: 'written' }),
    ...(isExport(entry) ? ['--location', '/backups'] : []),
    ...(lacksConsent ? [] : consent(entry, options.includes('--emulate') ? undefined : site)),
    ...(ending.site === undefined ? [] : ['--url', site]),
    ...options,
  ]
}

/** Returns the options that confirm a command. For an emulator, `site` is unknown. */
function consent(entry: CommandEntry, site: string | undefined): readonly string[] {
  if (isApply(entry) || isExport(entry)) return ['--yes']
  const isNamed = isDeletion(entry) && site !== undefined
  return isNamed ? ['--confirm', `Roads.FeatureServer@${new URL(site).host}`] : []
}

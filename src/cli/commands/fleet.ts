import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { exitCodes } from '../../report/exit-code.js'
import type { Result } from '../../result.js'
import { runStates } from '../../schema/documents/parts.js'
import type { StateBackend } from '../../state/series.js'
import { version } from '../../version.js'
import {
  type ArgumentsOf,
  type CommandEntry,
  type CommandHandler,
  declare,
  flag,
  list,
  text,
} from '../command.js'
import {
  commonOptions,
  fleetFormats,
  formatOption,
  namesSkipped,
  policyOption,
  waitOptions,
  yesOption,
} from '../command-options.js'

const base = {
  // The connection string may contain a password, so it must not be an option itself.
  database: text('env:NAME|file:PATH', 'Location of the PostgreSQL connection string', {
    default: 'env:LANDFORM_DATABASE_URL',
  }),
  ...commonOptions,
} as const

const sitesArgument = {
  name: 'sites',
  many: true,
  optional: true,
  describe: 'Names or addresses of sites',
} as const

export const fleetSubmit = declare({
  name: 'fleet submit',
  describe: 'Submit sites to the workers of a fleet (package @landform/fleet)',
  touches: 'fleet',
  arguments: [
    {
      name: 'files',
      many: true,
      describe: 'Manifests: files, folders, patterns; with --from-git, paths in the commit',
    },
  ],
  options: {
    'from-git': text('REF', 'Read the manifests from this commit of the repository in the working folder'),
    waves: text(
      'N[%],…',
      'Start the sites in waves up to these numbers, such as 1,10%,100%; stop after a wave that fails',
    ),
    all: flag('With --from-git, also submit sites that are done and have not changed since'),
    'keep-going': flag('Start the next wave even after a wave that failed'),
    priority: text('N', 'From 1 to 1000; smaller numbers start first [default: 100]'),
    timeout: text('TIME', 'Time limit of a site, such as 90m or 3h', { default: '3h' }),
    ...yesOption,
    verbose: flag(`Also ${namesSkipped}`, 'v'),
    ...policyOption,
    ...base,
    ...formatOption(fleetFormats),
  },
  examples: [
    [
      'fleet submit sites --waves 1,10%,100%',
      'one site, a tenth, then all, stopping after a wave that fails',
    ],
    ['fleet submit sites --from-git main --yes', 'the manifests of a commit, without confirmation'],
  ],
})

export const fleetWorker = declare({
  name: 'fleet worker',
  describe: 'Apply submitted sites, and take over from workers that died',
  touches: 'fleet',
  arguments: [],
  options: {
    folder: text('DIR', 'Folder of the manifests, as for submit; for --from-git, a clone of the repository', {
      default: '.',
    }),
    name: text('NAME', 'Name of the worker [default: the host name]'),
    limit: text('N', 'Maximum number of sites per worker; the newest worker decides', { default: '20' }),
    'fleet-limit': text(
      'N',
      'Maximum number of sites of all workers; the newest worker decides [default: no limit]',
    ),
    lease: text('TIME', 'Time without a heartbeat after which other workers take over the sites', {
      default: '10s',
    }),
    'poll-interval': waitOptions['poll-interval'],
    listen: text('HOST:PORT', 'Serve /metrics, /live and /ready on this address'),
    log: text('FORMAT', 'Format of the log lines on stdout', { choices: ['text', 'json'], default: 'text' }),
    ...policyOption,
    ...base,
  },
  examples: [
    ['fleet worker --limit 50', 'apply up to 50 sites at once'],
    ['fleet worker --listen 0.0.0.0:9464 --log json', 'in a cluster, with probes and metrics'],
  ],
})

export const fleetStatus = declare({
  name: 'fleet status',
  describe: 'Show the state of each site of the fleet',
  touches: 'fleet',
  arguments: [sitesArgument],
  options: {
    only: list('STATE', 'Only sites in this state (repeatable)', { choices: runStates }),
    watch: flag('Refresh until no site can continue, or until interrupted'),
    ...base,
    ...formatOption(fleetFormats),
  },
  examples: [
    ['fleet status', 'every site of the newest submissions'],
    ['fleet status --only ambiguous --format json', 'those that need an operator, for a program'],
  ],
})

export const fleetCancel = declare({
  name: 'fleet cancel',
  describe: 'Cancel the runs of sites',
  touches: 'fleet',
  arguments: [sitesArgument],
  options: {
    all: flag('Cancel every site that has not ended'),
    rollout: text('ID', 'Cancel every site of this rollout that has not ended'),
    ...yesOption,
    ...base,
  },
  examples: [
    ['fleet cancel amsterdam', 'stop waiting for one site'],
    ['fleet cancel --all --yes', 'stop everything, without confirmation'],
  ],
})

export const fleetResume = declare({
  name: 'fleet resume',
  describe: 'Resume sites whose runs did not finish',
  touches: 'fleet',
  arguments: [sitesArgument],
  options: {
    failed: flag('Resume every site that is failed, refused, cancelled or unfinished'),
    rollout: text('ID', 'Resume the sites of this rollout, and continue its waves'),
    'skip-failed': flag('With --rollout, skip the sites that did not succeed, and start the next wave'),
    ...yesOption,
    ...base,
  },
  examples: [
    ['fleet resume amsterdam', 'resume one site'],
    ['fleet resume --failed', 'resume every site that did not finish'],
    [
      'fleet resume --rollout 20260401-3f9a1c --skip-failed',
      'continue a stopped rollout, without the sites that stopped it',
    ],
  ],
})

export const fleetHistory = declare({
  name: 'fleet history',
  describe: 'Show every run of one site',
  touches: 'fleet',
  arguments: [{ name: 'site', describe: 'Name or address of a site' }],
  options: {
    verbose: flag('Show every event', 'v'),
    ...base,
    ...formatOption(fleetFormats),
  },
  examples: [
    ['fleet history amsterdam', 'every run of a site'],
    ['fleet history amsterdam -v', 'with all events'],
  ],
})

const fleetPrune = declare({
  name: 'fleet prune',
  describe: 'Delete runs of a fleet that ended long ago',
  touches: 'fleet',
  arguments: [],
  options: {
    days: text('N', 'Delete runs that ended more than this many days ago', { default: '90' }),
    ...yesOption,
    ...base,
  },
  examples: [
    ['fleet prune', 'delete runs that ended more than 90 days ago'],
    ['fleet prune --days 30 --yes', 'without confirmation, in a weekly job'],
  ],
})

const fleetUi = declare({
  name: 'fleet ui',
  describe: 'Serve a live page of the fleet',
  touches: 'fleet',
  arguments: [],
  options: {
    listen: text('HOST:PORT', 'Address of the page; other addresses than loopback require --token', {
      default: '127.0.0.1:8787',
    }),
    token: text(
      'env:NAME|file:PATH',
      'Location of the token for readers of the page: at least 16 characters without spaces',
    ),
    host: list('NAME', 'Additional host name of the page, such as that of a proxy (repeatable)'),
    ...base,
  },
  examples: [
    ['fleet ui', 'on this machine'],
    [
      'fleet ui --listen 0.0.0.0:8787 --token env:LANDFORM_UI_TOKEN',
      'for readers on other machines, with the token',
    ],
  ],
})

/** The declarations of the commands that the package implements. */
const declarations = {
  submit: fleetSubmit,
  worker: fleetWorker,
  status: fleetStatus,
  cancel: fleetCancel,
  resume: fleetResume,
  history: fleetHistory,
  prune: fleetPrune,
  ui: fleetUi,
} as const

/** The commands of the optional package. */
type FleetCommands = {
  readonly [N in keyof typeof declarations]: CommandHandler<ArgumentsOf<(typeof declarations)[N]>>
}

/** Builds a command of the fleet, which loads the package when it runs, or explains how to install the package. */
export function fleetCommand(name: keyof FleetCommands): CommandEntry {
  return {
    ...declarations[name],
    async handle(argv, host) {
      const loaded = await loadFleetPackage()
      if (loaded.ok) return loaded.value.commands[name](argv, host)
      host.stderr.print(`error: ${loaded.error.message}\nnext: ${loaded.error.next}\n`)
      return exitCodes.refused
    },
  }
}

/** The interface that the optional package offers to the program. */
export interface FleetPackage {
  /** The version of the package, which must equal that of the program: both are built from the same sources. */
  readonly version: string
  readonly commands: FleetCommands
  /** Creates the state backend for this database. Connects when it is first used, and keeps no process alive. */
  postgresBackend(connection: string): StateBackend
}

const name = '@landform/fleet'

/** Loads only the package that is installed with the program, never one from the working folder. */
export async function loadFleetPackage(): Promise<
  Result<FleetPackage, { readonly message: string; readonly next: string }>
> {
  const next = `npm install ${name}@${version}, where landform itself is installed`
  const reject = (message: string) => ({ ok: false, error: { message, next } }) as const
  const path = findInstalledPath()
  if (path === undefined) return reject(`this needs the package ${name}, which is not installed`)
  const fleet = await importFleet(path)
  if (fleet === undefined)
    return reject(`the package ${name} is installed, but a package that it needs is missing`)
  if (fleet.version === version) return { ok: true, value: fleet }
  return reject(
    `${name} ${fleet.version} does not match Landform ${version}: both must have the same version`,
  )
}

function findInstalledPath(): string | undefined {
  const [, program] = process.argv
  if (program === undefined) return undefined
  // First from its real path, then from the invoked path: pnpm installs packages only next to the second.
  return resolveFrom(() => realpathSync(program)) ?? resolveFrom(() => program)
}

function resolveFrom(program: () => string): string | undefined {
  try {
    return createRequire(program()).resolve(name)
  } catch {
    return undefined
  }
}

/** Imports the package; `undefined` if a package that it needs is missing. */
async function importFleet(path: string): Promise<FleetPackage | undefined> {
  try {
    return ((await import(path)) as { readonly fleet: FleetPackage }).fleet
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

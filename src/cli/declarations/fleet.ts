import { declare } from '../command.js'
import {
  commonOptions,
  fleetFormats,
  formatOption,
  policyOption,
  waitOptions,
  waveOptions,
} from './options.js'

/** Where the database of the fleet is; a connection string may hold a password, so it is never an option itself. */
export const databaseOption = {
  database: {
    kind: 'text',
    value: 'env:NAME|file:PATH',
    default: 'env:LANDFORM_DATABASE_URL',
    describe: 'Where the connection string of PostgreSQL stands',
  },
} as const

const base = { ...databaseOption, ...commonOptions } as const

const sitesArgument = {
  name: 'sites',
  many: true,
  optional: true,
  describe: 'Sites by their names or addresses',
} as const

const siteArgument = { name: 'site', describe: 'The name of a site, or its address' } as const

const filesArgument = {
  name: 'files',
  many: true,
  describe: 'Manifests: files, folders, patterns; with --from-git, paths in the commit',
} as const

export const fleetSubmit = declare({
  name: 'fleet submit',
  describe: 'Hand many sites to the workers of a fleet (package @landform/fleet)',
  touches: 'fleet',
  arguments: [filesArgument],
  options: {
    'from-git': {
      kind: 'text',
      value: 'REF',
      describe: 'Take the manifests from this commit of the repository of the working folder',
    },
    waves: waveOptions.waves,
    'keep-going': waveOptions['keep-going'],
    priority: {
      kind: 'text',
      value: 'N',
      describe: 'Smaller numbers are begun first, from 1 to 1000 [default: 100]',
    },
    timeout: {
      kind: 'text',
      value: 'TIME',
      default: '3h',
      describe: 'How long to wait for a site, such as 90m or 3h',
    },
    yes: { kind: 'flag', describe: 'Submit without asking' },
    ...policyOption,
    ...base,
    ...formatOption(fleetFormats),
  },
  examples: [
    [
      'fleet submit sites --waves 1,10%,100%',
      'a first site, a tenth, then all, stopping after a wave that fails',
    ],
    ['fleet submit sites --from-git main --yes', 'the manifests of a commit, without asking'],
  ],
})

export const fleetWorker = declare({
  name: 'fleet worker',
  describe: 'Apply what was submitted, and take over from workers that died',
  touches: 'fleet',
  arguments: [],
  options: {
    folder: {
      kind: 'text',
      value: 'DIR',
      default: '.',
      describe: 'Where the manifests lie, as they did for submit; for --from-git a clone',
    },
    name: {
      kind: 'text',
      value: 'NAME',
      describe: 'What the worker is called [default: the name of the host]',
    },
    limit: {
      kind: 'text',
      value: 'N',
      default: '20',
      describe: 'How many sites each worker has at once; the newest worker decides',
    },
    'fleet-limit': {
      kind: 'text',
      value: 'N',
      describe: 'How many sites all workers have at once; the newest worker decides [default: no limit]',
    },
    lease: {
      kind: 'text',
      value: 'TIME',
      default: '10s',
      describe: 'A worker that is silent for so long loses its sites to others',
    },
    'poll-interval': waitOptions['poll-interval'],
    listen: {
      kind: 'text',
      value: 'HOST:PORT',
      describe: 'Serve /metrics, /live and /ready there',
    },
    log: {
      kind: 'text',
      value: 'FORMAT',
      choices: ['text', 'json'],
      default: 'text',
      describe: 'What each line of stdout is',
    },
    ...policyOption,
    ...base,
  },
  examples: [
    ['fleet worker --folder sites --limit 50', 'work on up to 50 sites at once'],
    ['fleet worker --listen 0.0.0.0:9464 --log json', 'in a cluster, with probes and metrics'],
  ],
})

export const fleetStatus = declare({
  name: 'fleet status',
  describe: 'Show where each site of the fleet stands',
  touches: 'fleet',
  arguments: [sitesArgument],
  options: {
    only: {
      kind: 'list',
      value: 'STATE',
      describe: 'Only sites in this state, such as running or ambiguous; several times',
    },
    watch: { kind: 'flag', describe: 'Show it anew until all sites have ended or it is interrupted' },
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
  describe: 'Stop the work on sites',
  touches: 'fleet',
  arguments: [sitesArgument],
  options: {
    all: { kind: 'flag', describe: 'Every site that has not ended' },
    rollout: { kind: 'text', value: 'ID', describe: 'Every site of this submission that has not ended' },
    yes: { kind: 'flag', describe: 'Cancel without asking' },
    ...base,
  },
  examples: [
    ['fleet cancel amsterdam', 'stop waiting for one site'],
    ['fleet cancel --all --yes', 'stop everything, without asking'],
  ],
})

export const fleetResume = declare({
  name: 'fleet resume',
  describe: 'Take up sites again that did not come to their end',
  touches: 'fleet',
  arguments: [sitesArgument],
  options: {
    failed: {
      kind: 'flag',
      describe: 'Every site whose newest run failed, was refused, cancelled or is unfinished',
    },
    rollout: { kind: 'text', value: 'ID', describe: 'Of this submission; goes on with its waves, too' },
    'skip-failed': {
      kind: 'flag',
      describe: 'With --rollout: leave the sites that did not end well as they are, and begin the next wave',
    },
    yes: { kind: 'flag', describe: 'Resume without asking' },
    ...base,
  },
  examples: [
    ['fleet resume amsterdam', 'take up one site again'],
    ['fleet resume --failed', 'and every one that did not come to its end'],
    [
      'fleet resume --rollout 20260401-3f9a1c --skip-failed',
      'go on with a stopped rollout, without the sites that stopped it',
    ],
  ],
})

export const fleetHistory = declare({
  name: 'fleet history',
  describe: 'Show every run of one site',
  touches: 'fleet',
  arguments: [siteArgument],
  options: {
    verbose: { kind: 'flag', short: 'v', describe: 'Show every event' },
    ...base,
    ...formatOption(fleetFormats),
  },
  examples: [
    ['fleet history amsterdam', 'every run of a site'],
    ['fleet history amsterdam -v', 'with all events'],
  ],
})

export const fleetPrune = declare({
  name: 'fleet prune',
  describe: 'Take away runs of a fleet that ended long ago',
  touches: 'fleet',
  arguments: [],
  options: {
    days: { kind: 'text', value: 'N', default: '90', describe: 'Take away runs that ended so many days ago' },
    yes: { kind: 'flag', describe: 'Take them away without asking' },
    ...base,
  },
  examples: [
    ['fleet prune', 'see what is older than 90 days, and be asked'],
    ['fleet prune --days 30 --yes', 'in a job that runs every week'],
  ],
})

export const fleetUi = declare({
  name: 'fleet ui',
  describe: 'Serve a page that shows the fleet, live',
  touches: 'fleet',
  arguments: [],
  options: {
    listen: {
      kind: 'text',
      value: 'HOST:PORT',
      default: '127.0.0.1:8787',
      describe: 'Where to serve the page; elsewhere than on loopback it needs --token',
    },
    token: {
      kind: 'text',
      value: 'env:NAME|file:PATH',
      describe: 'What readers of the page have to know, at least 16 characters',
    },
    host: {
      kind: 'list',
      value: 'NAME',
      describe: 'A name that leads to the page, such as that of a proxy; several times',
    },
    ...base,
  },
  examples: [
    ['fleet ui', 'on this machine'],
    [
      'fleet ui --listen 0.0.0.0:8787 --token env:LANDFORM_UI_TOKEN',
      'for others, who have to know the token',
    ],
  ],
})

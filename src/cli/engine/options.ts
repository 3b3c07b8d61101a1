import { waveOptions } from '../fleet/fleet-options.js'
import { commonOptions, formatOption, policyOption, waitOptions } from '../options.js'

/** Formats of the commands that show a fleet. */
export const fleetFormats = ['text', 'json'] as const

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

export const submitOptions = {
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
} as const

export const workerOptions = {
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
} as const

export const fleetStatusOptions = {
  only: {
    kind: 'list',
    value: 'STATE',
    describe: 'Only sites in this state, such as running or ambiguous; several times',
  },
  watch: { kind: 'flag', describe: 'Show it anew until all sites have ended or it is interrupted' },
  ...base,
  ...formatOption(fleetFormats),
} as const

export const cancelOptions = {
  all: { kind: 'flag', describe: 'Every site that has not ended' },
  rollout: { kind: 'text', value: 'ID', describe: 'Every site of this submission that has not ended' },
  yes: { kind: 'flag', describe: 'Cancel without asking' },
  ...base,
} as const

export const resumeOptions = {
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
} as const

export const historyOptions = {
  verbose: { kind: 'flag', short: 'v', describe: 'Show every event' },
  ...base,
  ...formatOption(fleetFormats),
} as const

export const pruneOptions = {
  days: { kind: 'text', value: 'N', default: '90', describe: 'Take away runs that ended so many days ago' },
  yes: { kind: 'flag', describe: 'Take them away without asking' },
  ...base,
} as const

export const uiOptions = {
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
} as const

export const sitesArgument = {
  name: 'sites',
  many: true,
  optional: true,
  describe: 'Sites by their names or addresses',
} as const

export const siteArgument = { name: 'site', describe: 'The name of a site, or its address' } as const

export const filesArgument = {
  name: 'files',
  many: true,
  describe: 'Manifests: files, folders, patterns; with --from-git, paths in the commit',
} as const

import { type ExitCode, exitCodes } from '../report/exit-code.js'
import { version } from '../version.js'
import type { CommandEntry } from './command.js'
import { runLine } from './command-line/run-line.js'
import type { Host } from './host.js'

/** Runs one command line. Prints only through the host; returns the exit code. */
export async function run(words: readonly string[], host: Host): Promise<ExitCode> {
  const [first, , ...typed] = words
  const isCompletion = first === '--get-yargs-completions'
  const table = { entries: await loadEntries(isCompletion ? typed : words), groups, version }
  if (!isCompletion) return runLine(words, host, table)
  const { completions } = await import('./command-line/completions.js')
  host.stdout.write(completions(typed, table))
  return exitCodes.done
}

/**
 * Every command by its name, in the order of the help. Each is in a file that is loaded only when it is used, so
 * `validate` loads no code that connects to a site.
 */
const commandFiles: Readonly<Record<string, () => Promise<CommandEntry>>> = {
  init: async () => (await import('./commands/init.js')).command,
  validate: async () => (await import('./commands/validate.js')).command,
  render: async () => (await import('./commands/render.js')).command,
  plan: async () => (await import('./commands/plan.js')).command,
  show: async () => (await import('./commands/show.js')).command,
  apply: async () => (await import('./commands/apply.js')).command,
  status: async () => (await import('./commands/status.js')).command,
  drift: async () => (await import('./commands/drift.js')).command,
  comment: async () => (await import('./commands/comment.js')).command,
  probe: async () => (await import('./commands/probe.js')).command,
  adopt: async () => (await import('./commands/adopt.js')).command,
  'export-site': async () => (await import('./commands/export-site.js')).command,
  'webhooks delete-all': async () => (await import('./commands/webhooks-delete-all.js')).command,
  'state show': async () => (await import('./commands/state-show.js')).command,
  'state unlock': async () => (await import('./commands/state-unlock.js')).command,
  'state discard-intent': async () => (await import('./commands/state-discard-intent.js')).command,
  'state move': async () => (await import('./commands/state-move.js')).command,
  'fleet submit': async () => (await import('./commands/fleet.js')).fleetCommand('submit'),
  'fleet worker': async () => (await import('./commands/fleet.js')).fleetCommand('worker'),
  'fleet status': async () => (await import('./commands/fleet.js')).fleetCommand('status'),
  'fleet cancel': async () => (await import('./commands/fleet.js')).fleetCommand('cancel'),
  'fleet resume': async () => (await import('./commands/fleet.js')).fleetCommand('resume'),
  'fleet history': async () => (await import('./commands/fleet.js')).fleetCommand('history'),
  'fleet prune': async () => (await import('./commands/fleet.js')).fleetCommand('prune'),
  'fleet ui': async () => (await import('./commands/fleet.js')).fleetCommand('ui'),
  explain: async () => (await import('./commands/explain.js')).command,
  schema: async () => (await import('./commands/schema.js')).command,
  test: async () => (await import('./commands/test.js')).command,
  emulate: async () => (await import('./commands/emulate.js')).command,
  completion: async () => (await import('./commands/completion.js')).command,
}

/** The descriptions of groups of commands, by their first word. */
export const groups = {
  webhooks: 'Delete all webhooks of a service',
  state: 'Show, unlock or move the state of a site, or discard a submission intent',
  fleet: 'Apply many sites with workers and PostgreSQL (package @landform/fleet)',
} as const

/** Loads every command, in the order of the help. */
export function loadCommands(): Promise<readonly CommandEntry[]> {
  return Promise.all(Object.values(commandFiles).map(load => load()))
}

/** Loads the command that the first words name, or all commands if they name none. */
async function loadEntries([first = '', second]: readonly string[]): Promise<readonly CommandEntry[]> {
  const name = [first, `${first} ${second}`].find(one => Object.hasOwn(commandFiles, one))
  const load = name === undefined ? undefined : commandFiles[name]
  return load === undefined ? loadCommands() : [await load()]
}

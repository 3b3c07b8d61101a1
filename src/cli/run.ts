import { type ExitCode, exitCodes } from '../report/exit-code.js'
import { version } from '../version.js'
import { type CommandEntry, pair } from './command.js'
import { runLine } from './command-line/run-line.js'
import type { FleetCommands } from './commands/fleet-package.js'
import * as fleet from './declarations/fleet.js'
import * as manifests from './declarations/manifests.js'
import * as oneShot from './declarations/one-shot.js'
import * as sites from './declarations/sites.js'
import * as state from './declarations/state.js'
import * as tools from './declarations/tools.js'
import type { Host } from './host.js'

/** Runs one command line. Everything it prints goes through the host; the answer is the exit code. */
export async function run(words: readonly string[], host: Host): Promise<ExitCode> {
  const table = { entries: commands, groups, version }
  const [first, , ...typed] = words
  if (first !== '--get-yargs-completions') return runLine(words, host, table)
  const { completions } = await import('./command-line/completions.js')
  host.stdout.write(completions(typed, table))
  return exitCodes.done
}

/** Every command, in the order of the help: its declaration, and how to load its handler. */
export const commands: readonly CommandEntry[] = [
  pair(manifests.init, async () => (await import('./commands/init.js')).init),
  pair(manifests.validate, async () => (await import('./commands/validate.js')).validate),
  pair(manifests.render, async () => (await import('./commands/render.js')).render),
  pair(sites.plan, async () => (await import('./commands/plan.js')).plan),
  pair(sites.show, async () => (await import('./commands/show.js')).show),
  pair(sites.apply, async () => (await import('./commands/apply.js')).apply),
  pair(sites.status, async () => (await import('./commands/status.js')).status),
  pair(sites.drift, async () => (await import('./commands/drift.js')).drift),
  pair(sites.comment, async () => (await import('./commands/comment.js')).comment),
  pair(sites.probe, async () => (await import('./commands/probe.js')).probe),
  pair(sites.adopt, async () => (await import('./commands/adopt.js')).adopt),
  pair(oneShot.exportSite, async () => (await import('./commands/export-site.js')).exportSite),
  pair(
    oneShot.deleteAllWebhooks,
    async () => (await import('./commands/webhooks-delete-all.js')).deleteAllWebhooks,
  ),
  pair(state.stateShow, async () => (await import('./commands/state-show.js')).stateShow),
  pair(state.stateUnlock, async () => (await import('./commands/state-unlock.js')).stateUnlock),
  pair(
    state.stateDiscardIntent,
    async () => (await import('./commands/state-discard-intent.js')).discardIntent,
  ),
  pair(state.stateMove, async () => (await import('./commands/state-move.js')).stateMove),
  pair(fleet.fleetSubmit, inFleet('submit')),
  pair(fleet.fleetWorker, inFleet('worker')),
  pair(fleet.fleetStatus, inFleet('status')),
  pair(fleet.fleetCancel, inFleet('cancel')),
  pair(fleet.fleetResume, inFleet('resume')),
  pair(fleet.fleetHistory, inFleet('history')),
  pair(fleet.fleetPrune, inFleet('prune')),
  pair(fleet.fleetUi, inFleet('ui')),
  pair(manifests.explain, async () => (await import('./commands/explain.js')).explain),
  pair(manifests.schema, async () => (await import('./commands/schema.js')).schema),
  pair(manifests.test, async () => (await import('./commands/test.js')).test),
  pair(tools.emulate, async () => (await import('./commands/emulate.js')).emulate),
  pair(tools.completion, async () => (await import('./commands/completion.js')).completion),
]

/** The descriptions of groups of commands, by their first word. */
export const groups = {
  webhooks: 'Delete all webhooks of a service',
  state: 'Show, unlock or move the state of a site, or discard a submission intent',
  fleet: 'Apply many sites with workers and PostgreSQL (package @landform/fleet)',
} as const

/** The handler that the optional package has under this name. */
function inFleet<N extends keyof FleetCommands>(name: N): () => Promise<FleetCommands[N]> {
  return async () => (await import('./commands/fleet-package.js')).loadCommand(name)
}

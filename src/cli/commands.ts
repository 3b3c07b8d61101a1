import type { Argument, Arguments, Declaration, Entry, Handler, Options } from './command.js'
import * as fleet from './declarations/fleet.js'
import * as manifests from './declarations/manifests.js'
import * as oneShot from './declarations/one-shot.js'
import * as sites from './declarations/sites.js'
import * as state from './declarations/state.js'
import * as tools from './declarations/tools.js'
import type { FleetCommands } from './fleet/fleet-package.js'

/** Every command, in the order of the help: what it declares, and how to load what it does. */
export const commands: readonly Entry[] = [
  entry(manifests.init, async () => (await import('./commands/init.js')).init),
  entry(manifests.validate, async () => (await import('./commands/validate.js')).validate),
  entry(manifests.render, async () => (await import('./commands/render.js')).render),
  entry(sites.plan, async () => (await import('./commands/plan.js')).plan),
  entry(sites.show, async () => (await import('./commands/show.js')).show),
  entry(sites.apply, async () => (await import('./commands/apply.js')).apply),
  entry(sites.status, async () => (await import('./commands/status.js')).status),
  entry(sites.drift, async () => (await import('./commands/drift.js')).drift),
  entry(oneShot.exportSite, async () => (await import('./commands/export-site.js')).exportSite),
  entry(
    oneShot.deleteAllWebhooks,
    async () => (await import('./commands/webhooks-delete-all.js')).deleteAllWebhooks,
  ),
  entry(state.stateShow, async () => (await import('./commands/state-show.js')).stateShow),
  entry(state.stateUnlock, async () => (await import('./commands/state-unlock.js')).stateUnlock),
  entry(state.stateResubmit, async () => (await import('./commands/state-resubmit.js')).stateResubmit),
  entry(state.stateMove, async () => (await import('./commands/state-move.js')).stateMove),
  entry(fleet.fleetSubmit, inFleet('submit')),
  entry(fleet.fleetWorker, inFleet('worker')),
  entry(fleet.fleetStatus, inFleet('status')),
  entry(fleet.fleetCancel, inFleet('cancel')),
  entry(fleet.fleetResume, inFleet('resume')),
  entry(fleet.fleetHistory, inFleet('history')),
  entry(fleet.fleetPrune, inFleet('prune')),
  entry(fleet.fleetUi, inFleet('ui')),
  entry(manifests.why, async () => (await import('./commands/why.js')).why),
  entry(manifests.explain, async () => (await import('./commands/explain.js')).explain),
  entry(manifests.schema, async () => (await import('./commands/schema.js')).schema),
  entry(manifests.test, async () => (await import('./commands/test.js')).test),
  entry(tools.emulate, async () => (await import('./commands/emulate.js')).emulate),
  entry(tools.completion, async () => (await import('./commands/completion.js')).completion),
]

/** What the commands of two words are about, by their first. */
export const groups = {
  webhooks: 'Delete all webhooks of a service',
  state: 'Show, unlock, move or take back what is kept about a site',
  fleet: 'Apply many sites with workers and PostgreSQL (package @landform/fleet)',
} as const

/** Pairs a declaration with its handler, which gets just what was declared. */
function entry<O extends Options, A extends Argument>(
  declaration: Declaration<O, A>,
  load: () => Promise<Handler<Arguments<O, A>>>,
): Entry {
  return { ...declaration, load }
}

/** The handler that the optional package has under this name. */
function inFleet<N extends keyof FleetCommands>(name: N): () => Promise<FleetCommands[N]> {
  return async () => (await import('./fleet/fleet-package.js')).commandOf(name)
}

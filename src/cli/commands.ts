import type { Command } from './command.js'
import type { Listed } from './help.js'

/**
 * How far a command reaches: files only, a site to read it, a site or what is kept about it to change that, a port of this
 * machine, an emulated site in the same process, or the database of a fleet.
 */
export type Touch = 'nothing' | 'looks' | 'changes' | 'serves' | 'rehearses' | 'fleet'

/** A command of the table; loaded only when it is used, so that a lint does not load what talks to a site. */
export interface Entry extends Listed {
  readonly touches: Touch
  load(): Promise<Command>
}

/** Every command, in the order of the help. */
export const commands: readonly Entry[] = [
  {
    name: 'init',
    usage: '[file]',
    summary: 'Write a new manifest with comments, and a CI workflow if asked',
    touches: 'nothing',
    load: async () => loaded((await import('./commands/init.js')).init),
  },
  {
    name: 'validate',
    usage: '<file…|->',
    summary: 'Check manifests; needs no network, no secrets and no site',
    touches: 'nothing',
    load: async () => loaded((await import('./commands/validate.js')).validate),
  },
  {
    name: 'render',
    usage: '<file>',
    summary: 'Print what a manifest makes together with what it builds on',
    touches: 'nothing',
    load: async () => loaded((await import('./commands/render.js')).render),
  },
  {
    name: 'plan',
    usage: '<file…>',
    summary: 'Show what apply would do; only ever reads',
    touches: 'looks',
    load: async () => loaded((await import('./commands/plan.js')).plan),
  },
  {
    name: 'show',
    usage: '<plan.json>',
    summary: 'Print a saved plan again',
    touches: 'nothing',
    load: async () => loaded((await import('./commands/show.js')).show),
  },
  {
    name: 'apply',
    usage: '<file|plan.json…>',
    summary: 'Bring the site, or many, to what the manifests say',
    touches: 'changes',
    load: async () => loaded((await import('./commands/apply.js')).apply),
  },
  {
    name: 'status',
    usage: '<file…>',
    summary: 'Show the state of the site and its stages, or of many sites',
    touches: 'looks',
    load: async () => loaded((await import('./commands/status.js')).status),
  },
  {
    name: 'drift',
    usage: '<file>',
    summary: 'Say of each field what is known of it on the site; only ever reads',
    touches: 'looks',
    load: async () => loaded((await import('./commands/drift.js')).drift),
  },
  {
    name: 'export-site',
    usage: '[file]',
    summary: 'Export the site once, or check whether it could be',
    touches: 'changes',
    load: async () => loaded((await import('./commands/export-site.js')).exportSite),
  },
  {
    name: 'webhooks delete-all',
    usage: '<Service.Type> [file]',
    summary: 'Delete all webhooks of one service, for good',
    touches: 'changes',
    load: async () => loaded((await import('./commands/webhooks-delete-all.js')).deleteAllWebhooks),
  },
  {
    name: 'state show',
    usage: '[file]',
    summary: 'Show what is kept about a site: journal, lock, record, receipts',
    touches: 'nothing',
    load: async () => loaded((await import('./commands/state-show.js')).stateShow),
  },
  {
    name: 'state unlock',
    usage: '[file]',
    summary: 'Say who has a site, or remove the lock of a run that is gone',
    touches: 'changes',
    load: async () => loaded((await import('./commands/state-unlock.js')).stateUnlock),
  },
  {
    name: 'state resubmit',
    usage: '[file]',
    summary: 'Take back a configure that came to nothing, once that is proven',
    touches: 'changes',
    load: async () => loaded((await import('./commands/state-resubmit.js')).stateResubmit),
  },
  {
    name: 'state move',
    usage: '<from> <to> <file>',
    summary: 'Carry the state of a site to another location or address, and leave a pointer',
    touches: 'changes',
    load: async () => loaded((await import('./commands/state-move.js')).stateMove),
  },
  {
    name: 'fleet submit',
    usage: '<file…>',
    summary: 'Hand many sites to the workers of a fleet (package @landform/fleet)',
    touches: 'fleet',
    load: async () => loaded((await import('./commands/fleet-submit.js')).fleetSubmit),
  },
  {
    name: 'fleet worker',
    usage: '',
    summary: 'Apply what was submitted, and take over from workers that died',
    touches: 'fleet',
    load: async () => loaded((await import('./commands/fleet-worker.js')).fleetWorker),
  },
  {
    name: 'fleet status',
    usage: '[site…]',
    summary: 'Show where each site of the fleet stands',
    touches: 'fleet',
    load: async () => loaded((await import('./commands/fleet-status.js')).fleetStatus),
  },
  {
    name: 'fleet cancel',
    usage: '[site…]',
    summary: 'Stop the work on sites',
    touches: 'fleet',
    load: async () => loaded((await import('./commands/fleet-cancel.js')).fleetCancel),
  },
  {
    name: 'fleet resume',
    usage: '[site…]',
    summary: 'Take up sites again that did not come to their end',
    touches: 'fleet',
    load: async () => loaded((await import('./commands/fleet-resume.js')).fleetResume),
  },
  {
    name: 'fleet history',
    usage: '<site>',
    summary: 'Show every run of one site',
    touches: 'fleet',
    load: async () => loaded((await import('./commands/fleet-history.js')).fleetHistory),
  },
  {
    name: 'fleet prune',
    usage: '',
    summary: 'Take away runs of a fleet that ended long ago',
    touches: 'fleet',
    load: async () => loaded((await import('./commands/fleet-prune.js')).fleetPrune),
  },
  {
    name: 'fleet ui',
    usage: '',
    summary: 'Serve a page that shows the fleet, live',
    touches: 'fleet',
    load: async () => loaded((await import('./commands/fleet-ui.js')).fleetUi),
  },
  {
    name: 'why',
    usage: '<path> <file>',
    summary: 'Say what is behind a value: its file and line, its default, its record',
    touches: 'nothing',
    load: async () => loaded((await import('./commands/why.js')).why),
  },
  {
    name: 'explain',
    usage: '<code|field>',
    summary: 'Say what a diagnostic means, or what a field of a manifest is',
    touches: 'nothing',
    load: async () => loaded((await import('./commands/explain.js')).explain),
  },
  {
    name: 'schema',
    usage: '',
    summary: 'Print the JSON Schema of manifests',
    touches: 'nothing',
    load: async () => loaded((await import('./commands/schema.js')).schema),
  },
  {
    name: 'test',
    usage: '[file…]',
    summary: 'Run tests of manifests, *.test.yaml, on an emulator with a clock of its own',
    touches: 'rehearses',
    load: async () => loaded((await import('./commands/test.js')).test),
  },
  {
    name: 'emulate',
    usage: '',
    summary: 'Run the emulator of the service until interrupted',
    touches: 'serves',
    load: async () => loaded((await import('./commands/emulate.js')).emulate),
  },
  {
    name: 'completion',
    usage: '[bash|zsh]',
    summary: 'Print a completion script for a shell',
    touches: 'nothing',
    load: async () => loaded((await import('./commands/completion.js')).completion(commands)),
  },
]

/** Forgets which options a command has: the parser gives each just those it declared. */
function loaded(command: object): Command {
  return command as Command
}

import { defaultColumns } from '../report/wrap.js'
import { version } from '../version.js'
import { type CommandEntry, pair } from './command.js'
import { asksForHelp, isHelp } from './command-line/words.js'
import * as fleet from './declarations/fleet.js'
import * as manifests from './declarations/manifests.js'
import * as oneShot from './declarations/one-shot.js'
import * as sites from './declarations/sites.js'
import * as state from './declarations/state.js'
import * as tools from './declarations/tools.js'
import { type ExitCode, exitCodes, UsageError } from './exit-code.js'
import type { FleetCommands } from './fleet/fleet-package.js'
import type { Host } from './host.js'
import { explainUsage, perform, plainCommands } from './perform.js'
import { chooseTextColumns } from './terminal/process-output.js'

/** Runs one command line. Everything it prints goes through the host; the answer is the exit code. */
export async function run(argv: readonly string[], host: Host): Promise<ExitCode> {
  const [first, ...others] = argv
  const words = first === 'help' ? [...others.filter(word => word !== 'help'), '--help'] : argv
  const entry = findEntry(words)
  try {
    if (first === '--get-yargs-completions') {
      const { completions } = await import('./command-line/completions.js')
      host.stdout.write(completions(others.slice(1), { entries: commands, groups, version }))
      return exitCodes.done
    }
    refuseFirst(words)
    if (isVersion(first)) {
      host.stdout.write(`${version}\n`)
      return exitCodes.done
    }
    const { readCommandLine } = await import('./command-line/read-command-line.js')
    const more = asksForHelp(words) ? ((await entry?.more?.()) ?? []) : []
    // No wider than the launcher says it.
    const view = { columns: Math.min(chooseTextColumns(host.stdout), defaultColumns), more }
    const understood = readCommandLine(
      withoutUnknownHelp(words, entry),
      { entries: commands, groups, version },
      view,
    )
    if (understood.kind === 'run') {
      return await perform({ entry: understood.entry, values: understood.argv }, host)
    }
    host.stdout.print(understood.text)
    return exitCodes.done
  } catch (error) {
    const group = first !== undefined && Object.hasOwn(groups, first) ? first : undefined
    return explainUsage(error, entry?.name ?? group, host)
  }
}

/** The command that the first words name. */
function findEntry([first, second]: readonly string[]): CommandEntry | undefined {
  return commands.find(
    ({ name, aliases }) => name === first || name === `${first} ${second}` || aliases?.includes(first ?? ''),
  )
}

/** Names of commands in other tools, with the command to use here. */
const otherNames: Readonly<Record<string, string>> = {
  deploy: 'use apply',
  destroy: 'Landform never removes a site',
  diff: 'use plan for what apply would change, and drift for what differs on the site',
  up: 'use apply',
}

const isVersion = (word: string | undefined) => ['--version', '-V', 'version'].includes(word ?? '')

function refuseFirst([first, second]: readonly string[]): void {
  if (first === undefined) throw new UsageError('name a command, such as validate, plan or apply')
  if (isVersion(first) && second !== undefined)
    throw new UsageError(`unexpected argument ${JSON.stringify(second)}`)
  if (first.startsWith('-') && !isHelp(first) && !isVersion(first))
    throw new UsageError(`name the command before ${first}`)
  if (Object.hasOwn(otherNames, first)) throw new UsageError(`unknown command ${first}; ${otherNames[first]}`)
}

/** Drops `--help` where the command is unknown: yargs would print the help of another one. */
function withoutUnknownHelp(words: readonly string[], entry: CommandEntry | undefined): readonly string[] {
  const named = words.filter(word => !isHelp(word))
  const isKnown =
    entry !== undefined || named.length === 0 || (named.length === 1 && Object.hasOwn(groups, named[0] ?? ''))
  return isKnown ? words : named
}

/** Every command, in the order of the help: what it declares, and how to load what it does. */
export const commands: readonly CommandEntry[] = [
  pair(manifests.init, async () => (await import('./commands/init.js')).init),
  plainCommands.validate,
  pair(manifests.render, async () => (await import('./commands/render.js')).render),
  plainCommands.plan,
  pair(sites.show, async () => (await import('./commands/show.js')).show),
  pair(sites.apply, async () => (await import('./commands/apply.js')).apply),
  pair(sites.status, async () => (await import('./commands/status.js')).status),
  pair(sites.drift, async () => (await import('./commands/drift.js')).drift),
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
  pair(manifests.why, async () => (await import('./commands/why.js')).why),
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
  return async () => (await import('./fleet/fleet-package.js')).loadCommand(name)
}

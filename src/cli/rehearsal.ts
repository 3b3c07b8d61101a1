import type { ServiceVersion } from '../contract/version.js'
import { type Emulator, startEmulator } from '../emulator/server.js'
import type { Host } from './host.js'
import { type ChosenScenarios, chosenScenarios } from './scenario-options.js'
import { UsageError } from './usage-error.js'

/** The values of the options that ask for a rehearsal. */
export interface RehearsalArguments {
  readonly emulate: boolean
  readonly scenario: readonly string[]
}

type Rehearsal =
  | { readonly ok: true; readonly emulator: Emulator | undefined }
  | Extract<ChosenScenarios, { ok: false }>

/** A private emulator in place of the site, with what is to go wrong in it; none where the site itself is meant. */
export async function openRehearsal(
  { emulate, scenario }: RehearsalArguments,
  version: ServiceVersion,
  host: Host,
): Promise<Rehearsal> {
  if (!emulate && scenario.length > 0) throw new UsageError('--scenario is for the emulator; add --emulate')
  if (!emulate) return { ok: true, emulator: undefined }
  const chosen = await chosenScenarios(scenario, [], host)
  if (!chosen.ok) return chosen
  const { now, sleep: wait } = host.clock
  const field = { ...chosen.options.field, anyToken: true }
  return { ok: true, emulator: await startEmulator({ version, ...chosen.options, field, now, wait }) }
}

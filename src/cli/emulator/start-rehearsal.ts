import type { ServiceVersion } from '../../contract/version.js'
import { type Emulator, startEmulator } from '../../emulator/server.js'
import type { Host } from '../host.js'
import { type ChosenScenarios, chosenScenarios } from './scenario-options.js'

/** What the emulator plays, unless a scenario says otherwise. */
export interface RehearsedService {
  readonly version: ServiceVersion
  /** What a manifest sends beside the documented parameters. */
  readonly accept?: readonly string[]
}

export type Rehearsal =
  | { readonly ok: true; readonly emulator: Emulator | undefined }
  | Extract<ChosenScenarios, { ok: false }>

/** Starts the emulator of a rehearsal, or says why a scenario cannot be had. */
export async function startRehearsal(
  scenario: readonly string[],
  service: RehearsedService,
  host: Host,
): Promise<Rehearsal> {
  const chosen = await chosenScenarios(scenario, [], host)
  if (!chosen.ok) return chosen
  const { now, sleep: wait } = host.clock
  const field = { ...chosen.options.field, anyToken: true }
  return { ok: true, emulator: await startEmulator({ ...service, ...chosen.options, field, now, wait }) }
}

import type { ServiceVersion } from '../../contract/version.js'
import { type Emulator, startEmulator } from '../../emulator/server.js'
import type { Result } from '../../result.js'
import type { Host } from '../host.js'
import type { Refusal } from '../terminal/output.js'
import { chosenScenarios } from './scenario-options.js'

/** What the emulator plays, unless a scenario says otherwise. */
export interface RehearsedService {
  readonly version: ServiceVersion
  /** What a manifest sends beside the documented parameters. */
  readonly accept?: readonly string[]
}

export type Rehearsal = Result<Emulator | undefined, Refusal>

/** Starts the emulator of a rehearsal, or says why a scenario cannot be had. */
export async function startRehearsal(
  scenario: readonly string[],
  service: RehearsedService,
  host: Host,
): Promise<Rehearsal> {
  const chosen = await chosenScenarios(scenario, [], host)
  if (!chosen.ok) return chosen
  const { now, sleep: wait } = host.clock
  const field = { ...chosen.value.field, anyToken: true }
  return { ok: true, value: await startEmulator({ ...service, ...chosen.value, field, now, wait }) }
}

import { startEmulator } from '../emulator/server.js'
import type { Host } from './host.js'
import type { Rehearsal, RehearsedService } from './rehearsal.js'
import { chosenScenarios } from './scenario-options.js'

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

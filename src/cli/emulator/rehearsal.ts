import type { ServiceVersion } from '../../contract/versions.js'
import type { Emulator } from '../../emulator/emulated-site.js'
import type { Result } from '../../result.js'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import type { RehearsalArguments } from '../site/session.js'
import type { OpenFailure } from '../terminal/output.js'

/** The service that the emulator plays, unless a scenario sets another. */
export interface RehearsedService {
  readonly version: ServiceVersion
  /** Parameters of the manifest beside the documented ones. */
  readonly accept?: readonly string[]
}

export type Rehearsal = Result<Emulator | undefined, OpenFailure>

/**
 * A private emulator in place of the site, with what is to go wrong in it; none where the site itself is meant, and then none
 * is loaded.
 */
export async function openRehearsal(
  { emulate, scenario }: RehearsalArguments,
  service: RehearsedService,
  host: Host,
): Promise<Rehearsal> {
  if (!emulate && scenario.length > 0) throw new UsageError('--scenario is for the emulator; add --emulate')
  if (!emulate) return { ok: true, value: undefined }
  const { selectScenarios: chosenScenarios } = await import('./scenario-options.js')
  const chosen = await chosenScenarios(scenario, [], host)
  if (!chosen.ok) return chosen
  const { now, sleep: wait } = host.clock
  const field = { ...chosen.value.field, anyToken: true }
  const { startEmulator } = await import('../../emulator/server.js')
  return { ok: true, value: await startEmulator({ ...service, ...chosen.value, field, now, wait }) }
}

import type { Host } from '../host.js'
import { UsageError } from '../usage-error.js'
import type { Rehearsal, RehearsedService } from './start-rehearsal.js'

/** The values of the options that ask for a rehearsal. */
export interface RehearsalArguments {
  readonly emulate: boolean
  readonly scenario: readonly string[]
}

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
  const { startRehearsal } = await import('./start-rehearsal.js')
  return startRehearsal(scenario, service, host)
}

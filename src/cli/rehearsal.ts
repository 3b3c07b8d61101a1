import type { ServiceVersion } from '../contract/version.js'
import type { Emulator } from '../emulator/server.js'
import type { Host } from './host.js'
import type { ChosenScenarios } from './scenario-options.js'
import { UsageError } from './usage-error.js'

/** The values of the options that ask for a rehearsal. */
export interface RehearsalArguments {
  readonly emulate: boolean
  readonly scenario: readonly string[]
}

/** What the emulator plays, unless a scenario says otherwise. */
export interface RehearsedService {
  readonly version: ServiceVersion
  /** What a manifest sends beside the documented parameters. */
  readonly accept?: readonly string[]
}

export type Rehearsal =
  | { readonly ok: true; readonly emulator: Emulator | undefined }
  | Extract<ChosenScenarios, { ok: false }>

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
  if (!emulate) return { ok: true, emulator: undefined }
  const { startRehearsal } = await import('./start-rehearsal.js')
  return startRehearsal(scenario, service, host)
}

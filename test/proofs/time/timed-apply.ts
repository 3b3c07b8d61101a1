import type { Clock } from '../../../src/apply/clock.js'
import { parseBuiltInRules } from '../../../src/emulator/faults/notation.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { applied, planFor, portsFor } from '../../support/applying.js'
import { exampleManifest } from '../../support/manifests.js'
import { virtualClock } from '../../support/virtual-clock.js'
import { type Bend, bentClock } from './bent-clock.js'

/** What one apply told, and how it ended. */
export interface Timed {
  readonly events: readonly string[]
  readonly end: string
  readonly effects: number
  readonly realMs: number
}

export interface Timing {
  readonly start?: number
  readonly bends?: readonly Bend[]
  readonly faults?: readonly string[]
  /** How long each of the stages takes. */
  readonly stageMs?: number
  /** What is made of the clock: a mistake, for the control. */
  readonly mistake?: (clock: Clock) => Clock
}

export const usualStart = Date.UTC(2026, 0, 2, 3, 4, 5)

/** Applies with a clock to which things happen, at a service to which they do not. Times that are only shown are left out. */
export async function timedApply({
  start = usualStart,
  bends = [],
  faults = [],
  stageMs = 60_000,
  mistake = clock => clock,
}: Timing): Promise<Timed> {
  const began = performance.now()
  const bent = bentClock(start, bends)
  const emulator = await startEmulator({ now: bent.trueNow, stageMs, faults: parseBuiltInRules(faults) })
  try {
    const manifest = { ...exampleManifest() }
    const desired = { ...manifest, site: { ...manifest.site, url: emulator.url } }
    const still = portsFor(emulator.url, { clock: virtualClock(start) })
    const plan = await planFor(emulator.url, desired, still)
    const ports = portsFor(emulator.url, { clock: mistake(bent) })
    // A plan expires by the wall clock, and is meant to.
    const lasting = { ...plan, expiresAt: new Date(Date.UTC(9999, 0, 1)).toISOString() }
    const options = { timeoutMs: 10 * 3_600_000, pollMs: 60_000 }
    const { events, receipt } = await applied(lasting, ports, options)
    return {
      events: events.map(shown).map(text => text.replaceAll(emulator.url, '')),
      end: receipt.outcome.kind,
      effects: bent.effects,
      realMs: performance.now() - began,
    }
  } finally {
    await emulator.close()
  }
}

/** An event without what the clock of the service says of its stages. */
function shown(event: object): string {
  return JSON.stringify(event, (key, value) =>
    key === 'lastUpdated' || key === 'startTime' ? undefined : value,
  )
}

import type { Clock } from '../../../src/apply/clock.js'
import { parseBuiltInRules } from '../../../src/emulator/faults/notation.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { applied, planFor, portsFor } from '../../support/applying.js'
import { exampleManifest } from '../../support/manifests.js'
import { virtualClock } from '../../support/virtual-clock.js'
import { judge } from '../judge/judge.js'

/** A change of a machine's time just before the effect with a number. */
interface Bend {
  readonly at: number
  readonly wallMs?: number
  /** How long the machine sleeps. Its monotonic clock continues if `counts` is true, and stops otherwise. */
  readonly asleepMs?: number
  readonly counts?: boolean
}

/** The bent clock of a machine; `trueNow` is the correct clock of the service. */
interface BentClock extends Clock {
  /** How often the clock was read or slept on. */
  readonly effects: number
  readonly trueNow: () => number
}

function bentClock(start: number, bends: readonly Bend[]): BentClock {
  const base = virtualClock(start)
  let effects = 0
  let setMs = 0
  let uncountedMs = 0
  const effect = () => {
    for (const { at, wallMs = 0, asleepMs = 0, counts = true } of bends) {
      if (at !== effects) continue
      setMs += wallMs
      base.pass(asleepMs)
      if (!counts) uncountedMs += asleepMs
    }
    effects += 1
  }
  return {
    get effects() {
      return effects
    },
    trueNow: base.now,
    now() {
      effect()
      return base.now() + setMs
    },
    monotonicMs() {
      effect()
      return base.monotonicMs() - uncountedMs
    },
    async sleep(milliseconds, signal) {
      effect()
      await base.sleep(milliseconds, signal)
    },
  }
}

/** The events of one apply, and how it ended. */
interface Timed {
  readonly events: readonly string[]
  readonly end: string
  readonly effects: number
}

interface Timing {
  readonly start?: number
  readonly bends?: readonly Bend[]
  readonly faults?: readonly string[]
  readonly stageMs?: number
  /** Replaces the clock with a wrong one, for the control. */
  readonly mistake?: (clock: Clock) => Clock
}

const usualStart = Date.UTC(2026, 0, 2, 3, 4, 5)

/** Applies on a machine with a bent clock, to a service with a correct one. The events omit times that are only displayed. */
async function timedApply({
  start = usualStart,
  bends = [],
  faults = [],
  stageMs = 60_000,
  mistake = clock => clock,
}: Timing): Promise<Timed> {
  const bent = bentClock(start, bends)
  const emulator = await startEmulator({ now: bent.trueNow, stageMs, faults: parseBuiltInRules(faults) })
  try {
    const manifest = { ...exampleManifest() }
    const desired = { ...manifest, site: { ...manifest.site, url: emulator.url } }
    const still = portsFor(emulator.url, { clock: virtualClock(start) })
    const plan = await planFor(emulator.url, desired, still)
    const ports = portsFor(emulator.url, { clock: mistake(bent) })
    // A plan expires by the wall clock, on purpose.
    const lasting = { ...plan, expiresAt: new Date(Date.UTC(9999, 0, 1)).toISOString() }
    const options = { timeoutMs: 10 * 3_600_000, pollMs: 60_000 }
    const { events, receipt } = await applied(lasting, ports, options)
    return {
      events: events.map(shown).map(text => text.replaceAll(emulator.url, '')),
      end: receipt.outcome.kind,
      effects: bent.effects,
    }
  } finally {
    await emulator.close()
  }
}

/** Formats an event without the stage times of the service. */
function shown(event: object): string {
  return JSON.stringify(event, (key, value) =>
    key === 'lastUpdated' || key === 'startTime' ? undefined : value,
  )
}

const hourMs = 3_600_000
const yearMs = 365.25 * 24 * hourMs
const remarkableStarts: Readonly<Record<string, number>> = {
  'summer begins': Date.UTC(2026, 2, 8, 6, 55),
  'summer ends': Date.UTC(2026, 10, 1, 5, 55),
  'before 1970': Date.UTC(1969, 11, 31, 23, 55),
  'after 2100': Date.UTC(2101, 0, 1),
  'the end of 32 bits': Date.UTC(2038, 0, 19, 3, 10),
}

/** The violations of an apply with a bent clock. */
export interface Bent {
  readonly what: string
  readonly violations: readonly string[]
}

/**
 * Bends the clock at one in `every` effects of an apply: it jumps by a year, or the machine sleeps. Also starts at unusual
 * times, and at a service that reports absurd times. Events and outcome must stay the same; after a sleep, only the outcome.
 */
export async function* bentApplies(every: number, seed: number): AsyncGenerator<Bent> {
  const usual = await timedApply({})
  yield { what: 'a correct clock', violations: endViolations(usual.end) }
  for (let at = seed % every; at < usual.effects; at += every) {
    for (const wallMs of [yearMs, -yearMs])
      yield* compared(usual, `the clock is set by ${wallMs} ms at effect ${at}`, { bends: [{ at, wallMs }] })
    for (const counts of [true, false]) {
      // The events after a gap may differ, so only the end counts.
      const { end } = await timedApply({ bends: [{ at, asleepMs: 12 * hourMs, counts }] })
      yield { what: `12 h asleep at effect ${at}`, violations: endViolations(end) }
    }
  }
  const zone = process.env['TZ']
  process.env['TZ'] = 'America/New_York'
  for (const [what, start] of Object.entries(remarkableStarts)) yield* compared(usual, what, { start })
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
  for (const skew of ['-900000h', '900000h', '-490848h'])
    yield* compared(usual, `the service is off by ${skew}`, { faults: [`site=skew:${skew}`] })
}

async function* compared(usual: Timed, what: string, timing: Timing): AsyncGenerator<Bent> {
  const { end, events } = await timedApply(timing)
  const violations = [...endViolations(end), ...judge({ logs: [usual.events, events] })]
  yield { what, violations }
}

function endViolations(end: string): readonly string[] {
  return end === 'done' ? [] : [`I5: the outcome was ${end}`]
}

/** Tests whether a wait that is measured with the wall clock is detected. */
export async function isWallClockFound(): Promise<boolean> {
  const mistake = (clock: Clock): Clock => ({ ...clock, monotonicMs: () => clock.now() })
  const right = await timedApply({ mistake })
  for (const at of [20, 40, 60])
    for (const wallMs of [yearMs, -yearMs]) {
      const wrong = await timedApply({ bends: [{ at, wallMs }], mistake })
      if (wrong.end !== 'done' || JSON.stringify(wrong.events) !== JSON.stringify(right.events)) return true
    }
  return false
}

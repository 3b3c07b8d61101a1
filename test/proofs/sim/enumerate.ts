import { diskFaults } from './disk.js'
import { type Course, course, type Mutant, type Scenario, type Setting } from './scenario.js'
import { stateFaults } from './sim-series.js'
import { believedTwice, siteFaults } from './sim-site.js'
import { type EffectKind, type Fault, losses } from './world.js'

/** Faults of the process at any effect: it crashes, or is suspended, alone or while another runs. */
const ofProcess = ['crash-before', 'crash-after', 'other-run', 'unlocked-run', 'gap']
/** Power is lost only before effects: the disk changes during effects, so the moment after one equals that before the next. */
const ofPower = Object.keys(losses)
/** The faults of each effect. */
export const ofEffect: Readonly<Record<EffectKind, readonly string[]>> = {
  ...siteFaults,
  ...stateFaults,
  ...diskFaults,
}

/** The settings without a disk. */
export const settings: readonly Setting[] = [
  { machines: 'one', ends: 'ready', options: { detach: true } },
  { machines: 'one', ends: 'ready' },
  { machines: 'several', ends: 'ready' },
  { machines: 'one', ends: 'failed' },
]
const diskSetting: Setting = { machines: 'one', ends: 'ready', disk: true }

/** Lists every fault at the effects of a course, from the effect number `from` on. */
function faultsFrom({ disk = false }: Setting, trace: readonly EffectKind[], from: number): readonly Fault[] {
  const ofAny = [...ofProcess, ...(disk ? ofPower : [])]
  return trace.flatMap((kind, at) =>
    at < from ? [] : [...ofAny, ...ofEffect[kind]].map(name => ({ at, name })),
  )
}

export interface Played {
  readonly scenario: Scenario
  readonly course: Course
}

export const allSettings: readonly Setting[] = [...settings, diskSetting]

export async function played(setting: Setting, faults: readonly Fault[], mutant?: Mutant): Promise<Played> {
  const scenario = { ...setting, faults }
  return { scenario, course: await course(scenario, mutant) }
}

/** Lists the possible faults after the last one. A wrong response comes only once: a run believes one that repeats. */
export function furtherFaults(setting: Setting, { scenario, course }: Played): readonly Fault[] {
  const { faults } = scenario
  const from = (faults.at(-1)?.at ?? -1) + 1
  const believed = faults.map(({ name }) => name).filter(name => believedTwice.includes(name))
  return faultsFrom(setting, course.trace, from).filter(({ name }) => !believed.includes(name))
}

/** Selects single faults by their number, and pairs by their count. */
export interface Choice {
  readonly share?: (first: number) => boolean
  readonly keep: (count: number) => boolean
}

/** Plays the selected courses with no fault, one, and two. */
export async function* enumerate(
  setting: Setting,
  { share = () => true, keep }: Choice,
  mutant?: Mutant,
): AsyncGenerator<Played> {
  const none = await played(setting, [], mutant)
  if (share(0)) yield none
  let count = 0
  for (const [number, first] of furtherFaults(setting, none).entries()) {
    if (!share(number)) continue
    const one = await played(setting, [first], mutant)
    yield one
    for (const second of furtherFaults(setting, one)) {
      count += 1
      if (keep(count)) yield await played(setting, [first, second], mutant)
    }
  }
}

import { diskFaults } from './disk.js'
import { type Course, course, type Mutant, type Scenario, type Setting } from './scenario.js'
import { stateFaults } from './sim-series.js'
import { believedTwice, siteFaults } from './sim-site.js'
import { type EffectKind, type Fault, losses } from './world.js'

/** What may happen to the process at any effect: it dies, or stands still, alone or while another runs. */
const ofProcess = ['crash-before', 'crash-after', 'other-run', 'unlocked-run', 'gap']
/** Before an effect is after the one before it: the disk changes in effects only. */
const ofPower = Object.keys(losses)
/** What may go wrong with each effect. */
export const ofEffect: Readonly<Record<EffectKind, readonly string[]>> = {
  ...siteFaults,
  ...stateFaults,
  ...diskFaults,
}

/** Where things run, how they end, and what the first run was told. */
export const settings: readonly Setting[] = [
  { machines: 'one', ends: 'ready', options: { detach: true } },
  { machines: 'one', ends: 'ready' },
  { machines: 'several', ends: 'ready' },
  { machines: 'one', ends: 'failed' },
]
/** The state lies on a disk that may lose its power. */
const diskSetting: Setting = { machines: 'one', ends: 'ready', disk: true }

/** Every single fault at the effects of a course from a number on. */
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

/** Each of them. */
export const allSettings: readonly Setting[] = [...settings, diskSetting]

/** Plays one course of a setting. */
export async function played(setting: Setting, faults: readonly Fault[], mutant?: Mutant): Promise<Played> {
  const scenario = { ...setting, faults }
  return { scenario, course: await course(scenario, mutant) }
}

/** What may go wrong once more, later than it did; a site that says the same wrong thing twice in a row is believed. */
export function furtherFaults(setting: Setting, { scenario, course }: Played): readonly Fault[] {
  const { faults } = scenario
  const from = (faults.at(-1)?.at ?? -1) + 1
  const believed = faults.map(({ name }) => name).filter(name => believedTwice.includes(name))
  return faultsFrom(setting, course.trace, from).filter(({ name }) => !believed.includes(name))
}

/** Which courses are played: each so many of the single faults, with those that go on from them, and which of those. */
export interface Choice {
  readonly share?: (first: number) => boolean
  readonly keep: (count: number) => boolean
}

/** Every course with no fault, one, and two, over all runs that it takes, as far as they are chosen. */
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

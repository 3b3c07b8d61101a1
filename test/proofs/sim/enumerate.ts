import { type Course, course, type Mutant, type Scenario } from './scenario.js'
import { stateFaults } from './sim-series.js'
import { siteFaults } from './sim-site.js'
import type { EffectKind, Fault } from './world.js'

/** What may happen to the process at any effect: it dies, or stands still while another runs. */
const ofProcess = ['crash-before', 'crash-after', 'other-run', 'unlocked-run']
/** What may go wrong with each effect. */
export const ofEffect: Readonly<Record<EffectKind, readonly string[]>> = {
  ...siteFaults,
  ...stateFaults,
  sleep: [],
}

/** Where things run, how they end, and what the first run was told. */
export const settings: readonly Omit<Scenario, 'faults'>[] = [
  { machines: 'one', ends: 'ready', options: { detach: true } },
  { machines: 'one', ends: 'ready' },
  { machines: 'several', ends: 'ready' },
  { machines: 'one', ends: 'failed' },
]

/** Every single fault at the effects of a course from a number on. */
export function faultsFrom(trace: readonly EffectKind[], from: number): readonly Fault[] {
  return trace.flatMap((kind, at) =>
    at < from ? [] : [...ofProcess, ...ofEffect[kind]].map(name => ({ at, name })),
  )
}

export interface Played {
  readonly scenario: Scenario
  readonly course: Course
}

/** Every course with no fault, one, and two, over all runs that it takes; `keep` chooses among those with two. */
export async function* enumerate(
  setting: Omit<Scenario, 'faults'>,
  keep: (count: number) => boolean,
  mutant: Mutant = {},
): AsyncGenerator<Played> {
  const play = async (faults: readonly Fault[]): Promise<Played> => {
    const scenario = { ...setting, faults }
    return { scenario, course: await course(scenario, mutant) }
  }
  const none = await play([])
  yield none
  let count = 0
  for (const first of faultsFrom(none.course.trace, 0)) {
    const one = await play([first])
    yield one
    for (const second of faultsFrom(one.course.trace, first.at + 1)) {
      // A site that says twice in a row that it is ready is believed.
      if (first.name === 'ahead' && second.name === 'ahead') continue
      count += 1
      if (keep(count)) yield await play([first, second])
    }
  }
}

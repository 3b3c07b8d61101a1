import type { Disk } from '../../../src/state/machine.js'
import { diskMutants, recipeKiller } from './disk-mutants.js'
import { enumerate, furtherFaults, type Played, played, settings } from './enumerate.js'
import { interleaved } from './interleave.js'
import { mutants } from './mutants.js'
import type { Mutant } from './scenario.js'
import { settingOf } from './tasks.js'

/** One in this many pairs of faults is played. */
const one = 40
/** Enough seeds to show a mistake that needs several processes. */
const seeds = 300

/** The first course that shows a mistake, and its violation. */
export interface Killed {
  readonly by: string
  readonly courses: number
  readonly violation: string
}

/** Finds the first course in which a mutant breaks an invariant; `undefined` if the mutant survives. */
export async function killer(mutant: Mutant): Promise<Killed | undefined> {
  let courses = 0
  // Faults of the `configure` request detect most mutants, and quickly. All others follow.
  for await (const { scenario, course } of atTheRequest(mutant)) {
    courses += 1
    const [violation] = course.violations
    if (violation !== undefined) return { by: JSON.stringify(scenario), courses, violation }
  }
  for (const keep of [() => false, (count: number) => count % one === 0])
    for (const setting of settings)
      for await (const { scenario, course } of enumerate(setting, { keep }, mutant)) {
        courses += 1
        const [violation] = course.violations
        if (violation !== undefined) return { by: JSON.stringify(scenario), courses, violation }
      }
  return undefined
}

/** Plays each fault of the `configure` request, in each setting. */
async function* atTheRequest(mutant: Mutant): AsyncGenerator<Played> {
  for (const setting of settings) {
    const none = await played(setting, [], mutant)
    yield none
    for (const fault of furtherFaults(setting, none))
      if (none.course.trace[fault.at] === 'send') yield await played(setting, [fault], mutant)
  }
}

/** The mistakes at a port of the executor, or in writing a version, each with its search. */
export const portMutants: Readonly<Record<string, () => Promise<Killed | undefined>>> = {
  ...Object.fromEntries(Object.entries(mutants).map(([name, mutant]) => [name, () => killer(mutant)])),
  ...Object.fromEntries(
    Object.entries(diskMutants).map(([name, change]) => [name, () => diskKiller(change)]),
  ),
}

async function diskKiller(change: (disk: Disk) => Disk): Promise<Killed | undefined> {
  const found = await recipeKiller(change)
  return found && { by: 'a loss of power while a version is written', ...found }
}

/** One mistake for each way of playing. Every run must find them. */
export const quickControls: Readonly<Record<string, () => Promise<boolean>>> = {
  'faults: sends again if the service is unavailable': async () =>
    (await killer(mutants['sends again if the service is unavailable'] ?? {})) !== undefined,
  'at once: overwrites a version of another process': () =>
    isFoundAtOnce(mutants['overwrites a version of another process'] ?? {}),
  'a disk: does not flush folders': async () =>
    (await recipeKiller(diskMutants['does not flush folders'])) !== undefined,
}

async function isFoundAtOnce(mutant: Mutant): Promise<boolean> {
  for (let seed = 0; seed < seeds; seed += 1)
    if ((await interleaved(seed, settingOf(seed), mutant)).violations.length > 0) return true
  return false
}

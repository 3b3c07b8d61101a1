import { judge } from '../judge/judge.js'
import { allSettings, enumerate, furtherFaults, played } from './enumerate.js'
import { interleaved, randomFrom } from './interleave.js'
import { everyRecipe } from './recipe.js'
import type { Course, Scenario, Setting } from './scenario.js'

/** A part of the work; several run at once. */
export type Task =
  /** One of several parts of a setting: no fault, single faults, and some pairs. */
  | ({ readonly kind: 'pairs'; readonly setting: number; readonly part: number; readonly of: number } & Every)
  /** Three faults, chosen by seeds. */
  | ({ readonly kind: 'triples' } & Seeds)
  /** Concurrent processes; each seed is played twice. */
  | ({ readonly kind: 'at-once' } & Seeds)
  /** Versions on a disk that loses power. */
  | { readonly kind: 'recipe'; readonly pairs: 'no' | 'all' }

interface Every {
  /** One in this many single faults, and pairs, is played. */
  readonly everySingle: number
  readonly everyPair: number
}

interface Seeds {
  readonly from: number
  readonly count: number
}

/** The result of a task: its counts, the exit codes of the last runs, and the violations. */
export interface Report {
  readonly counts: Readonly<Record<string, number>>
  readonly ends: Readonly<Record<string, number>>
  readonly found: readonly { readonly what: string; readonly violations: readonly string[] }[]
}

const thirds = 8
/** The number of effects up to the response to `configure`, where most faults matter. */
const early = 12

export async function report(task: Task): Promise<Report> {
  const { counts, ends, found, add } = tally()
  const end = ({ runs, doubled }: Course) => {
    const code = runs.at(-1)?.exitCode ?? 'none'
    ends[code] = (ends[code] ?? 0) + 1
    add('runs', runs.length)
    add('duplicated requests', doubled)
  }
  const look = (what: string, course: Course) => {
    end(course)
    if (course.violations.length > 0) found.push({ what, violations: course.violations })
  }
  switch (task.kind) {
    case 'pairs': {
      const { setting, part, of, everySingle, everyPair } = task
      const share = (first: number) => first % of === part && Math.floor(first / of) % everySingle === 0
      const choice = { share, keep: (count: number) => count % everyPair === 0 }
      for await (const { scenario, course } of enumerate(settingOf(setting), choice)) {
        add('simulated runs')
        look(repeatedBy(scenario), course)
      }
      break
    }
    case 'triples':
      for (let seed = task.from; seed < task.from + task.count; seed += thirds)
        for await (const { scenario, course } of withThree(
          seed,
          Math.min(thirds, task.from + task.count - seed),
        )) {
          add('simulated runs with three faults')
          look(repeatedBy(scenario), course)
        }
      break
    case 'at-once':
      for (let seed = task.from; seed < task.from + task.count; seed += 1) {
        const setting = settingOf(seed)
        const course = await interleaved(seed, setting)
        add('seeds')
        add('effects', course.trace.length)
        const what = `npm run verify -- sim --seed ${seed} --seeds 1 --log`
        look(what, course)
        const again = await interleaved(seed, setting)
        const differences = judge({ logs: [course.log(), again.log()] })
        if (differences.length > 0) found.push({ what, violations: differences })
      }
      break
    case 'recipe':
      for await (const { mishaps, written } of everyRecipe(task.pairs)) {
        add('losses of the disk')
        const { violations } = written
        if (violations.length > 0) found.push({ what: `writing, ${JSON.stringify(mishaps)}`, violations })
      }
      break
    default:
      task satisfies never
  }
  return { counts, ends, found }
}

/** Selects the setting of a seed. */
export function settingOf(number: number): Setting {
  const setting = allSettings[number % allSettings.length]
  if (setting === undefined) throw new Error('there is no setting')
  return setting
}

function repeatedBy(scenario: Scenario): string {
  return `npm run verify -- sim --course '${JSON.stringify(scenario)}'`
}

/** Plays courses with three faults. All of them share the first two. */
async function* withThree(seed: number, count: number) {
  const random = randomFrom(seed)
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]
  const setting = settingOf(seed)
  const isEarly = random() < 0.5
  let last = await played(setting, [])
  for (let more = 0; more < 2; more += 1) {
    const all = furtherFaults(setting, last)
    const next = pick(isEarly ? all.filter(({ at }) => at < early + more) : all) ?? pick(all)
    if (next === undefined) return
    last = await played(setting, [...last.scenario.faults, next])
  }
  const all = furtherFaults(setting, last)
  for (let third = 0; third < count; third += 1) {
    const next = pick(all)
    if (next !== undefined) yield await played(setting, [...last.scenario.faults, next])
  }
}

function tally() {
  const counts: Record<string, number> = {}
  const ends: Record<string, number> = {}
  const found: Report['found'][number][] = []
  const add = (what: string, more = 1) => {
    counts[what] = (counts[what] ?? 0) + more
  }
  return { counts, ends, found, add }
}

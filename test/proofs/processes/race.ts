import type { ExitCode } from '../../../src/report/exit-code.js'
import { findStuck, judge } from '../judge/judge.js'
import { bringToEnd, factsAt } from './bring-to-end.js'
import { type ApplyOptions, type Place, runApply, startHeldApply } from './landform-process.js'
import type { RealSites } from './real-site.js'

/** Exit codes of runs that lost: the site was locked (7), another run configured it first (6), or it was complete (0). */
const losers: readonly number[] = [7, 6, 0]

export interface Contender extends ApplyOptions {
  readonly place: Place
}

export interface Raced {
  readonly codes: readonly ExitCode[]
  readonly violations: readonly string[]
}

/** Starts processes that apply the same site at once: one configures it, and the others report why they did not. */
export async function raced(contenders: readonly Contender[], sites: RealSites): Promise<Raced> {
  const [first] = contenders
  if (first === undefined) throw new Error('a race needs contenders')
  const ends = await Promise.all(contenders.map(({ place, ...options }) => runApply(place, options)))
  const codes = ends.map(({ exitCode }) => exitCode)
  const found = ends.flatMap(({ exitCode, printed }) =>
    losers.includes(exitCode) ? [] : [`I5: a run of ${codes.join(' ')} ended with ${exitCode}: ${printed}`],
  )
  const facts = await factsAt(first.place, sites, { exitCode: codes.includes(0) ? 0 : (codes[0] ?? 7) })
  return { codes, violations: [...found, ...judge(facts), ...findStuck(facts)] }
}

/** The point at which a run is suspended, as when a machine sleeps, and its fate afterwards. */
export interface Stop {
  readonly point: string
  readonly then: 'wakes' | 'dies'
}

/** Suspends the run with the lock: another must exit with 7. Then the first is resumed, or killed and replaced by the next. */
export async function stopped(
  place: Place,
  sites: RealSites,
  { point, then }: Stop,
): Promise<readonly string[]> {
  return whileSuspended(place, point, async still => {
    const { exitCode } = await runApply(place)
    const found = exitCode === 7 ? [] : [`while the first run was suspended, another exited with ${exitCode}`]
    const first = await still[then]()
    const after = await bringToEnd(place, sites, { first, seconds: 5 })
    return [...found, ...after.violations]
  })
}

/** Performs `work` while a run is suspended at a point. If the work fails, the run is killed. */
export async function whileSuspended<T>(
  place: Place,
  point: string,
  work: (still: SuspendedRun) => Promise<T>,
): Promise<T> {
  const still = await suspendAt(place, point)
  try {
    return await work(still)
  } catch (error) {
    await still.dies()
    throw error
  }
}

/** A suspended run. Both functions return its exit code. */
export interface SuspendedRun {
  wakes(): Promise<0 | 'crashed'>
  dies(): Promise<'crashed'>
}

export async function suspendAt(place: Place, point: string): Promise<SuspendedRun> {
  const held = startHeldApply(place)
  if ((await held.reach(point)) === undefined) throw new Error(`a run never reached "${point}"`)
  held.child.kill('SIGSTOP')
  return {
    async wakes() {
      held.child.kill('SIGCONT')
      do held.go()
      while ((await held.next()) !== undefined)
      const [code] = (await held.ended) as [0 | null]
      return code ?? 'crashed'
    },
    async dies() {
      held.child.kill('SIGKILL')
      await held.ended
      return 'crashed'
    },
  }
}

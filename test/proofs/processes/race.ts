import type { ExitCode } from '../../../src/report/exit-code.js'
import { findStuck, judge } from '../judge/judge.js'
import { bringToEnd, factsAt } from './bring-to-end.js'
import { type ApplyOptions, type Place, runApply, startHeldApply } from './landform-process.js'
import type { RealSites } from './real-site.js'

/** Exit codes of runs that lost: another run had the lock, came first, or was done. */
const losers: readonly number[] = [7, 6, 0]

/** One run of a race: its place, and what is different about it. */
export interface Contender extends ApplyOptions {
  readonly place: Place
}

export interface Raced {
  readonly codes: readonly ExitCode[]
  readonly violations: readonly string[]
}

/** Lets processes apply the same site at once: one configures it, and the others report why they did not. */
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

/** The fate of a run that is stopped at a point, as by a machine that sleeps. */
export interface Stop {
  readonly point: string
  readonly then: 'wakes' | 'dies'
}

/**
 * Stops the run that has the lock at a point: another run ends with 7 and sends nothing. Then the first run wakes and goes
 * on, or is killed, and the next one takes over.
 */
export async function stopped(
  place: Place,
  sites: RealSites,
  { point, then }: Stop,
): Promise<readonly string[]> {
  return whileSuspended(place, point, async still => {
    const { exitCode } = await runApply(place)
    const found = exitCode === 7 ? [] : [`while the first run was stopped, another ended with ${exitCode}`]
    const first = await still[then]()
    const after = await bringToEnd(place, sites, { first, seconds: 5 })
    return [...found, ...after.violations]
  })
}

/** Does some work while a run is stopped at a point. If the work fails, the run is killed, so nothing waits for it. */
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

/** A stopped run. It wakes or dies, and either way returns its exit code. */
export interface SuspendedRun {
  wakes(): Promise<0 | 'crashed'>
  dies(): Promise<'crashed'>
}

/** Starts a run and stops it at a point. */
export async function suspendAt(place: Place, point: string): Promise<SuspendedRun> {
  const held = startHeldApply(place)
  if ((await held.reach(point)) === undefined) throw new Error(`a run never came to "${point}"`)
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

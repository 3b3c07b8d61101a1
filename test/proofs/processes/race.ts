import type { ExitCode } from '../../../src/report/exit-code.js'
import { violations } from '../oracle.js'
import { broughtToEnd } from './brought-to-end.js'
import { type ApplyOptions, heldApply, landformApply, type Place, toldApply } from './landform-process.js'
import { truthAt } from './place.js'
import type { RealSites } from './real-site.js'

/** Codes of a run that was not the one: another had the site, came first, or was through with it. */
const losers: readonly number[] = [7, 6, 0]

/** One of those who race: where it keeps its state, and what is different about it. */
export interface Contender extends ApplyOptions {
  readonly place: Place
}

/** How a race ended. */
export interface Raced {
  readonly codes: readonly ExitCode[]
  readonly violations: readonly string[]
}

/** Lets processes apply the same site at once: one configures, and the others say why they do not. */
export async function raced(contenders: readonly Contender[], sites: RealSites): Promise<Raced> {
  const [first] = contenders
  if (first === undefined) return { codes: [], violations: ['nobody raced'] }
  const ends = await Promise.all(contenders.map(({ place, ...options }) => toldApply(place, options)))
  const codes = ends.map(({ code }) => code)
  const counted = await sites.counted(first.place.url)
  const { received, accepted } = counted
  const found = ends.flatMap(({ code, stderr }) =>
    losers.includes(code) ? [] : [`a run ended with ${code} of ${codes.join(' ')}: ${stderr.slice(-500)}`],
  )
  if (!codes.includes(0)) found.push(`nobody brought it to its end: ${codes.join(' ')}`)
  if (accepted !== 1) found.push(`${accepted} configurations after ${codes.join(' ')}`)
  const ended = { exitCode: 0, outcome: 'race', received, accepted } as const
  return { codes, violations: [...found, ...violations(await truthAt(first.place, counted), ended)] }
}

/** What becomes of a run that stands still at a point, as a machine that sleeps does. */
export interface Stop {
  readonly point: string
  readonly then: 'wakes' | 'dies'
}

/**
 * Stops the run that has the site at a point: another is told so and sends nothing. Then the first wakes and goes on, or
 * is killed, and the next takes over.
 */
export async function stopped(
  place: Place,
  sites: RealSites,
  { point, then }: Stop,
): Promise<readonly string[]> {
  return whileOneStands(place, point, async still => {
    const meanwhile = await landformApply(place)
    const found = meanwhile === 7 ? [] : [`while it stood still another ended with ${meanwhile}`]
    const first = await still[then]()
    const after = await broughtToEnd(place, sites, { first, seconds: 5 })
    return [...found, ...after.violations]
  })
}

/** Does something while a run stands still at a point. One that fails leaves none behind, which a proof would wait for. */
export async function whileOneStands<T>(
  place: Place,
  point: string,
  work: (still: StandingStill) => Promise<T>,
): Promise<T> {
  const still = await stoodStill(place, point)
  try {
    return await work(still)
  } catch (error) {
    await still.dies()
    throw error
  }
}

/** A run that stands still, until it wakes or dies; both give how it ended. */
export interface StandingStill {
  wakes(): Promise<0 | 'crashed'>
  dies(): Promise<'crashed'>
}

/** Starts a run and stops it at a point. */
export async function stoodStill(place: Place, point: string): Promise<StandingStill> {
  const held = heldApply(place)
  let next = await held.next()
  while (next !== undefined && next !== point) {
    held.go()
    next = await held.next()
  }
  if (next === undefined) throw new Error(`a run never came to "${point}"`)
  held.child.kill('SIGSTOP')
  return {
    async wakes() {
      held.child.kill('SIGCONT')
      for (; next !== undefined; next = await held.next()) held.go()
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

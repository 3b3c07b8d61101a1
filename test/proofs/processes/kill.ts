import { setTimeout } from 'node:timers/promises'
import { type Ended, isStuck, violations } from '../oracle.js'
import { heldApply, landformApply, type Place } from './landform-process.js'
import { truthAt } from './place.js'
import type { RealSites } from './real-site.js'

/** Where a run is killed: at the point with a number, or so long after it went on from there. */
export interface Kill {
  readonly at: number
  readonly afterMs?: number
  /** What else is lost with the process, for a control. */
  readonly forget?: () => void
}

export interface Killed {
  /** The point, by its name; `undefined` where the run had ended before. */
  readonly point: string | undefined
  readonly codes: readonly (number | 'crashed')[]
  readonly violations: readonly string[]
}

const mostFurther = 3

/** Kills a run at a point, and runs `landform apply` until it has ended the matter. */
export async function killed(place: Place, sites: RealSites, { at, afterMs, forget }: Kill): Promise<Killed> {
  const held = heldApply(place)
  let point = await held.next()
  for (let passed = 0; passed < at && point !== undefined; passed += 1) {
    held.go()
    point = await held.next()
  }
  if (afterMs !== undefined) {
    held.go()
    await setTimeout(afterMs)
  }
  held.child.kill('SIGKILL')
  await held.ended
  forget?.()
  const found: string[] = []
  const codes: Ended['exitCode'][] = []
  const look = async (exitCode: Ended['exitCode'], before: { received: number; accepted: number }) => {
    const counted = await sites.counted(place.url)
    const truth = await truthAt(place, counted)
    const ended = {
      exitCode,
      outcome: 'apply',
      received: counted.received - before.received,
      accepted: counted.accepted - before.accepted,
    }
    codes.push(exitCode)
    found.push(...violations(truth, ended).map(text => `run ${codes.length}: ${text}`))
    return { counted, stuck: isStuck(truth, ended) }
  }
  let { counted } = await look('crashed', { received: 0, accepted: 0 })
  for (let run = 1; run <= mostFurther; run += 1) {
    const looked = await look(await landformApply(place), counted)
    counted = looked.counted
    if (looked.stuck === undefined) break
    if (run === mostFurther) found.push(looked.stuck)
  }
  return { point, codes, violations: found }
}

/** The points of a run that nobody kills, in order. */
export async function pointsOf(place: Place): Promise<readonly string[]> {
  const held = heldApply(place)
  const points: string[] = []
  for (let point = await held.next(); point !== undefined; point = await held.next()) {
    points.push(point)
    held.go()
  }
  await held.ended
  return points
}

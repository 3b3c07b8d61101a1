import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { type Aftermath, broughtToEnd } from './brought-to-end.js'
import { heldApply, type Place, startedApply } from './landform-process.js'
import type { RealSites } from './real-site.js'
import type { StateServer } from './state-server.js'
import { takenBack } from './taken-back.js'

/** Where a run is killed: at the point with a number or name, or so long after it went on from there. */
export interface Kill {
  readonly at: number | string
  readonly afterMs?: number
  /** What else is lost with the process, for a control. */
  readonly forget?: () => void
  /** How long each further run waits for the site. */
  readonly seconds?: number
}

export interface Killed extends Aftermath {
  /** The point, by its name; `undefined` where the run had ended before. */
  readonly point: string | undefined
}

/** Kills a run at a point, and runs `landform apply` until it has ended the matter. */
export async function killed(
  place: Place,
  sites: RealSites,
  { at, afterMs, forget, seconds = 60 }: Kill,
): Promise<Killed> {
  const held = heldApply(place)
  let point = await held.next()
  for (let passed = 0; passed !== at && point !== at && point !== undefined; passed += 1) {
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
  return { point, ...(await ended(place, sites, { first: 'crashed', seconds })) }
}

/** Kills `landform apply`, as users start it, so long after its start; one that has ended by then is let be. */
export async function killedAfter(
  place: Place,
  sites: RealSites,
  { afterMs, seconds }: { readonly afterMs: number; readonly seconds: number },
): Promise<Aftermath> {
  const child = startedApply(place)
  const end = once(child, 'exit')
  await setTimeout(afterMs)
  child.kill('SIGKILL')
  const [code] = await end
  return ended(place, sites, { first: code ?? 'crashed', seconds })
}

/** Where a run with its state on a server is killed: by which of its requests there, before or after that is carried out. */
export interface KillAtRequest {
  /** The server of the place. */
  readonly server: StateServer
  readonly request: number
  readonly moment: 'before' | 'after'
  readonly seconds: number
}

/** Kills `landform apply` with one of its requests to the server of its state. */
export async function killedAtRequest(
  place: Place,
  sites: RealSites,
  { server: { faults }, request, moment, seconds }: KillAtRequest,
): Promise<Aftermath> {
  const child = startedApply(place)
  faults.last = { left: request, moment, kill: () => child.kill('SIGKILL') }
  const [code] = await once(child, 'exit')
  faults.last = undefined
  return ended(place, sites, { first: code ?? 'crashed', seconds })
}

/** Brings a site to its end, also where that takes the word of an operator. */
async function ended(
  place: Place,
  sites: RealSites,
  how: Parameters<typeof broughtToEnd>[2],
): Promise<Aftermath> {
  const end = await broughtToEnd(place, sites, how)
  if (end.codes.at(-1) !== 4 || end.violations.length > 0) return end
  return { ...end, violations: await takenBack(place, sites) }
}

/** The points at which a run has the site, for as long as it has it; each that it came to before it had the site is left out. */
export async function pointsWithSite(place: Place): Promise<readonly string[]> {
  const all = await pointsOf(place)
  const own = all.slice(all.indexOf('before connect'), -1)
  const before = all.slice(0, all.indexOf('before connect'))
  return [...new Set(own)].filter(
    point => !before.includes(point) && /^(?:before|after) (?:connect|send|update|add)/.test(point),
  )
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

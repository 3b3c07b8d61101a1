import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { type Aftermath, bringToEnd, discardIntent } from './bring-to-end.js'
import { type Place, startApply, startHeldApply } from './landform-process.js'
import type { RealSites } from './real-site.js'
import type { StateServer } from './state-server.js'

/** The moment of a kill: at a point, by its number or name, or some time after the run continued from there. */
export interface Kill {
  readonly at: number | string
  readonly afterMs?: number
  /** Deletes something after the kill, such as the state, for a control. */
  readonly forget?: () => void
  /** The timeout of each further run, in seconds. */
  readonly seconds?: number
}

export interface Killed extends Aftermath {
  /** The name of the point; `undefined` if the run had ended before. */
  readonly point: string | undefined
}

/** Kills a run at a point, and completes the site with further runs. */
export async function killed(
  place: Place,
  sites: RealSites,
  { at, afterMs, forget, seconds = 60 }: Kill,
): Promise<Killed> {
  const held = startHeldApply(place)
  const point = await held.reach(at)
  if (afterMs !== undefined) {
    held.go()
    await setTimeout(afterMs)
  }
  held.child.kill('SIGKILL')
  await held.ended
  forget?.()
  return { point, ...(await ended(place, sites, { first: 'crashed', seconds })) }
}

/** Starts `landform apply` as users do, and kills it after some time, unless it has ended. */
export async function killAfter(
  place: Place,
  sites: RealSites,
  { afterMs, seconds }: { readonly afterMs: number; readonly seconds: number },
): Promise<Aftermath> {
  const child = startApply(place)
  const end = once(child, 'exit')
  await setTimeout(afterMs)
  child.kill('SIGKILL')
  const [code] = await end
  return ended(place, sites, { first: code ?? 'crashed', seconds })
}

/** The request to the state server at which a run is killed, before or after the server performs it. */
export interface KillAtRequest {
  /** The state server of the place. */
  readonly server: StateServer
  readonly request: number
  readonly moment: 'before' | 'after'
  readonly seconds: number
}

/** Kills `landform apply` at one of its requests to the state server. */
export async function killAtRequest(
  place: Place,
  sites: RealSites,
  { server: { faults }, request, moment, seconds }: KillAtRequest,
): Promise<Aftermath> {
  const child = startApply(place)
  faults.last = { left: request, moment, kill: () => child.kill('SIGKILL') }
  const [code] = await once(child, 'exit')
  faults.last = undefined
  return ended(place, sites, { first: code ?? 'crashed', seconds })
}

/** Completes a site with further runs, and discards its submission intent if an operator would have to. */
async function ended(
  place: Place,
  sites: RealSites,
  how: Parameters<typeof bringToEnd>[2],
): Promise<Aftermath> {
  const end = await bringToEnd(place, sites, how)
  if (end.codes.at(-1) !== 4 || end.violations.length > 0) return end
  return { ...end, violations: await discardIntent(place, sites) }
}

/** Lists the points at which a run holds the lock, except those that also occur before it. */
export async function pointsWithLock(place: Place): Promise<readonly string[]> {
  const all = await pointsOf(place)
  const own = all.slice(all.indexOf('before connect'), -1)
  const before = all.slice(0, all.indexOf('before connect'))
  return [...new Set(own)].filter(
    point => !before.includes(point) && /^(?:before|after) (?:connect|send|update|add)/.test(point),
  )
}

export async function pointsOf(place: Place): Promise<readonly string[]> {
  const held = startHeldApply(place)
  const points: string[] = []
  for (let point = await held.next(); point !== undefined; point = await held.next()) {
    points.push(point)
    held.go()
  }
  await held.ended
  return points
}

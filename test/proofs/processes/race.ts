import { violations } from '../oracle.js'
import { heldApply, landformApply, type Place } from './landform-process.js'
import { truthAt } from './place.js'
import type { RealSites } from './real-site.js'

/** Codes of a run that was not the one: another had the site, came first, or was through with it. */
const losers: readonly number[] = [7, 6, 0]

/** Lets processes apply the same site at once: one configures, and the others say why they do not. */
export async function raced(places: readonly Place[], sites: RealSites): Promise<readonly string[]> {
  const [place] = places
  if (place === undefined) return ['nobody raced']
  const codes = await Promise.all(places.map(place => landformApply(place)))
  const counted = await sites.counted(place.url)
  const { received, accepted } = counted
  const found = codes.flatMap(code =>
    losers.includes(code) ? [] : [`a run ended with ${code} of ${codes.join(' ')}`],
  )
  if (accepted !== 1) found.push(`${accepted} configurations after ${codes.join(' ')}`)
  const ended = { exitCode: 0, outcome: 'race', received, accepted } as const
  return [...found, ...violations(await truthAt(place, counted), ended)]
}

interface Stop {
  readonly point: string
  readonly then: 'wakes' | 'dies'
}

/**
 * Stops the run that has the site at a point, as a machine that sleeps does: another is told so and sends nothing. Then
 * the first wakes and goes on, or is killed, and the next takes over.
 */
export async function stopped(
  place: Place,
  sites: RealSites,
  { point, then }: Stop,
): Promise<readonly string[]> {
  const held = heldApply(place)
  let next = await held.next()
  while (next !== undefined && next !== point) {
    held.go()
    next = await held.next()
  }
  held.child.kill('SIGSTOP')
  const found: string[] = []
  const meanwhile = await landformApply(place)
  if (meanwhile !== 7) found.push(`while it stood still another ended with ${meanwhile}`)
  held.child.kill(then === 'wakes' ? 'SIGCONT' : 'SIGKILL')
  if (then === 'wakes') for (; next !== undefined; next = await held.next()) held.go()
  await held.ended
  const exitCode = await landformApply(place)
  if (exitCode !== 0) found.push(`the next one ended with ${exitCode}`)
  const truth = await truthAt(place, await sites.counted(place.url))
  return [...found, ...violations(truth, { exitCode, outcome: 'apply', received: 0, accepted: 0 })]
}

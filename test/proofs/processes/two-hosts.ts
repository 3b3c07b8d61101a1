import { spawnSync } from 'node:child_process'
import { broughtToEnd, judged } from './brought-to-end.js'
import { type ApplyOptions, landformApply, type Place } from './landform-process.js'
import { raced, stoodStill } from './race.js'
import type { RealSites } from './real-site.js'

/** What goes on between two machines: both begin at once, or the one that has the site dies, or stands still and wakes. */
export type Meeting = { readonly what: 'race' } | { readonly what: 'dies' | 'wakes'; readonly point: string }

export interface Met {
  readonly codes: readonly (number | 'crashed')[]
  readonly violations: readonly string[]
}

/** Longer than a lease lasts, with all that clocks may be apart. */
const afterLeaseMs = 20 * 60_000

/** Two checkouts of one repository, on two machines: `here` is this one, and `there` is what makes a run one of the other. */
export async function met(
  [here, other]: readonly [Place, Place],
  sites: RealSites,
  { there, meeting }: { readonly there: ApplyOptions; readonly meeting: Meeting },
): Promise<Met> {
  if (meeting.what === 'race') return raced([{ place: here }, { place: other, ...there }], sites)
  const { what, point } = meeting
  const still = await stoodStill(here, point)
  const before = await sites.counted(here.url)
  const found: string[] = []
  if (what === 'dies') await still.dies()
  // From there nobody can tell whether the first one lives, so its lease is what counts.
  const early = await landformApply(other, there)
  if (early !== 7) found.push(`a run of the other machine ended with ${early} before the lease was over`)
  const between = await sites.counted(here.url)
  if (between.received !== before.received) found.push('it sent a request before the lease was over')
  const late = await landformApply(other, { ...there, ...ahead(there), seconds: 1 })
  const taken = await judged(other, sites, { exitCode: late, before: between })
  found.push(...taken.violations)
  const first = what === 'wakes' ? await still.wakes() : 'crashed'
  const end = await broughtToEnd(here, sites, { first, before: taken.counted, seconds: 5 })
  return { codes: [early, late, ...end.codes], violations: [...found, ...end.violations] }
}

function ahead({ environment }: ApplyOptions): ApplyOptions {
  return {
    preload: 'elsewhere',
    environment: { ...environment, PROOF_AHEAD_MS: String(afterLeaseMs) },
  }
}

/** What makes a run one of a machine that only says that it is another. */
export const renamed: ApplyOptions = {
  preload: 'elsewhere',
  environment: { PROOF_HOST: 'another-machine' },
}

const namespaces = ['unshare', '--uts', '--pid', '--fork', '--mount-proc']

/** What makes a run one of another machine by namespaces of the kernel; `undefined` where none can be had. */
export function namespaced(): ApplyOptions | undefined {
  const [program = '', ...words] = namespaces
  const { status } = spawnSync(program, [...words, 'hostname', 'another-machine'], { stdio: 'ignore' })
  if (status !== 0) return undefined
  return { inside: [...namespaces, 'sh', '-c', 'hostname "$0" && exec "$@"', 'another-machine'] }
}

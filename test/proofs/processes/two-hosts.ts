import { spawnSync } from 'node:child_process'
import { judge } from '../judge/judge.js'
import { bringToEnd, factsAt, type Judged } from './bring-to-end.js'
import { type ApplyOptions, type Place, runApply } from './landform-process.js'
import { raced, suspendAt } from './race.js'
import type { RealSites } from './real-site.js'

/** A case with two machines: they race, or the run that holds the lock dies, or is suspended and later resumed. */
export type Meeting = { readonly what: 'race' } | { readonly what: 'dies' | 'wakes'; readonly point: string }

/** Longer than a lease plus the tolerated clock skew. */
const afterLeaseMs = 20 * 60_000

/** Plays a case of two machines with a checkout each. The options `there` make a run appear to be on the other machine. */
export async function met(
  [here, other]: readonly [Place, Place],
  sites: RealSites,
  { there, meeting }: { readonly there: ApplyOptions; readonly meeting: Meeting },
): Promise<Judged> {
  if (meeting.what === 'race') return raced([{ place: here }, { place: other, ...there }], sites)
  const { what, point } = meeting
  const still = await suspendAt(here, point)
  const before = await sites.counted(here.url)
  const found: string[] = []
  if (what === 'dies') await still.dies()
  // The other machine cannot check whether that process is alive, so it relies on the lease.
  const early = await runApply(other, there)
  if (early.exitCode !== 7)
    found.push(`I1: the other machine exited with ${early.exitCode} before the lease expired`)
  const between = await sites.counted(here.url)
  if (between.received !== before.received)
    found.push('I1: the other machine sent a request before the lease expired')
  const late = await runApply(other, { ...there, ...ahead(there), seconds: 1 })
  const taken = await factsAt(other, sites, { ...late, before: between })
  const first = what === 'wakes' ? await still.wakes() : 'crashed'
  const end = await bringToEnd(here, sites, { first, before: taken.site, seconds: 5 })
  return {
    codes: [early.exitCode, late.exitCode, ...end.codes],
    violations: [...found, ...judge(taken), ...end.violations],
  }
}

function ahead({ environment }: ApplyOptions): ApplyOptions {
  return {
    preload: 'elsewhere',
    environment: { ...environment, PROOF_AHEAD_MS: String(afterLeaseMs) },
  }
}

/** Options of a run that reports another host name. */
export const renamed: ApplyOptions = {
  preload: 'elsewhere',
  environment: { PROOF_HOST: 'another-machine' },
}

const namespaces = ['unshare', '--uts', '--pid', '--fork', '--mount-proc']

/** Returns options for a run in its own kernel namespaces, or `undefined` if they cannot be created here. */
export function namespaced(): ApplyOptions | undefined {
  const [program = '', ...words] = namespaces
  const { status } = spawnSync(program, [...words, 'hostname', 'another-machine'], { stdio: 'ignore' })
  if (status !== 0) return undefined
  return { inside: [...namespaces, 'sh', '-c', 'hostname "$0" && exec "$@"', 'another-machine'] }
}

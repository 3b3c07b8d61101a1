import { hasEnded, type RunState } from 'landform/sites'

/** The end of a wave, counted from the first site: a number of sites, or a share of them. */
export type Reach =
  | { readonly kind: 'sites'; readonly count: number }
  | { readonly kind: 'share'; readonly percent: number }

/** Reads reaches such as `1,10%,100%`, each further than the one before it; nothing where they are none. */
export function parseWaves(text: string): readonly Reach[] | undefined {
  const reaches: Reach[] = []
  for (const word of text.split(',')) {
    const reach = parseReach(word.trim())
    const former = reaches.findLast(({ kind }) => kind === reach?.kind)
    if (reach === undefined || (former !== undefined && countReach(former) >= countReach(reach)))
      return undefined
    reaches.push(reach)
  }
  return reaches
}

/**
 * Cuts sites into waves, in their order. Shares are rounded up, empty waves are omitted, and sites beyond every reach
 * make a last wave.
 */
export function cutWaves<T>(sites: readonly T[], reaches: readonly Reach[]): readonly (readonly T[])[] {
  const waves: (readonly T[])[] = []
  let begun = 0
  for (const end of [...reaches.map(reach => findWaveEnd(reach, sites.length)), sites.length]) {
    if (end > begun) waves.push(sites.slice(begun, end))
    begun = Math.max(begun, end)
  }
  return waves
}

/** The decision about the wave after this one. */
type AfterWave = 'open' | 'goes-on' | 'stops'

/**
 * Decides what follows a wave: nothing before all of its sites have ended, and no further wave after one that did not
 * succeed. A cancelled site was a decision of a person.
 */
export function decideAfterWave(sites: readonly RunState[], keepGoing: boolean): AfterWave {
  if (!sites.every(hasEnded)) return 'open'
  return keepGoing || sites.every(state => state === 'done' || state === 'cancelled') ? 'goes-on' : 'stops'
}

/** Returns the number of the wave of each site, from 1. */
export function numberWaves<T>(waves: readonly (readonly T[])[]): ReadonlyMap<T, number> {
  return new Map(waves.flatMap((wave, at) => wave.map(site => [site, at + 1] as const)))
}

function parseReach(word: string): Reach | undefined {
  const [, digits, sign] = /^([1-9]\d{0,6})(%?)$/.exec(word) ?? []
  if (digits === undefined) return undefined
  if (sign === '') return { kind: 'sites', count: Number(digits) }
  return Number(digits) <= 100 ? { kind: 'share', percent: Number(digits) } : undefined
}

function countReach(reach: Reach): number {
  return reach.kind === 'sites' ? reach.count : reach.percent
}

function findWaveEnd(reach: Reach, all: number): number {
  return reach.kind === 'sites' ? Math.min(reach.count, all) : Math.ceil((all * reach.percent) / 100)
}

import { cutWaves, type Reach } from '../../../../src/apply/fleet/waves.js'
import type { NewRun } from '../database/add-runs.js'
import { type Former, type Standing, standingOf } from '../model/submission.js'
import type { OrderedSite } from './open-ordered.js'

/** How all sites of a submission are to be worked on. */
export interface Terms {
  /** How far each wave reaches; all sites are one wave where there is none. */
  readonly reaches: readonly Reach[]
  readonly priority: number
  readonly timeoutMs: number
  readonly commit: string | undefined
}

/** A site with what its submission would make of it. */
export interface Ordered {
  readonly run: NewRun
  readonly is: Standing
  readonly former: Former | undefined
}

/**
 * Makes an order of each site. Waves are cut from those that something is added for, so that the first of a submission
 * that goes on is again a canary; the others are in the last one, should they have ended until then.
 */
export function orderSites(
  sites: readonly OrderedSite[],
  { reaches, priority, timeoutMs, commit }: Terms,
  formers: ReadonlyMap<string, Former>,
): readonly Ordered[] {
  const terms = { priority, timeoutMs, ...(commit !== undefined && { commit }) }
  const standing = sites.map(site => {
    const former = formers.get(site.url)
    return { site, former, is: standingOf(former, { digest: site.digest, ...terms }) }
  })
  const waves = cutWaves(
    standing.filter(({ is }) => is !== 'same'),
    reaches,
  )
  const waveOf = new Map(waves.flatMap((wave, at) => wave.map(one => [one, at + 1] as const)))
  return standing.map(one => ({
    run: {
      site: one.site.url,
      name: one.site.manifest.name,
      manifest: one.site.ordered,
      digest: one.site.digest,
      ...terms,
      wave: waveOf.get(one) ?? Math.max(1, waves.length),
    },
    is: one.is,
    former: one.former,
  }))
}

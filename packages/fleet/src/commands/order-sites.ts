import type { NewRun } from '../database/add-runs.js'
import { decideEffect, type PreviousRun, type SubmissionEffect } from '../model/submission.js'
import { cutWaves, numberWaves, type Reach } from '../model/waves.js'
import type { OrderedSite } from './open-ordered-site.js'

/** The options for all sites of a submission. */
export interface SubmissionOptions {
  /** The size of each wave; without sizes, all sites are one wave. */
  readonly reaches: readonly Reach[]
  readonly priority: number
  readonly timeoutMs: number
  readonly commit: string | undefined
}

/** A site with the effect of its submission. */
export interface SiteOrder {
  readonly run: NewRun
  readonly is: SubmissionEffect
  readonly former: PreviousRun | undefined
}

/**
 * Creates an order for each site. Waves are formed from sites that get a new run, so that the first one of a submission
 * with unfinished sites is again a canary; the others are in the last wave, in case they have ended by then.
 */
export function orderSites(
  sites: readonly OrderedSite[],
  { reaches, priority, timeoutMs, commit }: SubmissionOptions,
  formers: ReadonlyMap<string, PreviousRun>,
): readonly SiteOrder[] {
  const terms = { priority, timeoutMs, ...(commit !== undefined && { commit }) }
  const standing = sites.map(site => {
    const former = formers.get(site.url)
    return { site, former, is: decideEffect(former, { digest: site.digest, ...terms }) }
  })
  const waves = cutWaves(
    standing.filter(({ is }) => is !== 'same'),
    reaches,
  )
  const waveOf = numberWaves(waves)
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

import { siteReader } from '../client/site-reader.js'
import { addPlace } from '../manifest/field-places.js'
import { noSettings } from '../plan/observation.js'
import type { Situation } from '../plan/situation.js'
import type { Result } from '../result.js'
import { selectContent } from '../state/site-state.js'
import { tool } from '../version.js'
import { observeToPlan } from './observe-to-plan.js'
import type { GatherProblem } from './problem.js'
import type { PlanOptions, ReadPorts, Site } from './site.js'

/** The default time for which a plan may be used: a day. */
export const defaultLifetimeMs = 24 * 3_600_000

export type SituationReply = Result<Situation, GatherProblem>

/** Binds the files, observes the site and reads its state: everything that a plan is made from. Only ever reads. */
export async function readSituation(
  site: Site,
  { clock, client }: ReadPorts,
  { ignored, lifetimeMs, signal }: PlanOptions,
): Promise<SituationReply> {
  const { manifest, url, provideToken, route, state, stateLocation } = site
  const refused = (problem: GatherProblem): SituationReply => ({ ok: false, error: problem })
  const bound = await site.bind()
  if (!bound.ok)
    return refused({ kind: 'references', diagnostics: bound.error.map(one => addPlace(manifest, one)) })
  const reader = client ?? siteReader(url, provideToken, route)
  const polled = await observeToPlan(reader, signal)
  const newest = await state.read()
  // State that belongs to another address explains more than a failed observation of this one.
  if (!newest.ok && newest.error.kind === 'moved') return refused({ kind: 'state', failure: newest.error })
  if (!polled.ok) return refused({ kind: 'look', url, failure: polled.error })
  if (!newest.ok) return refused({ kind: 'state', failure: newest.error })
  // Only a site that has its organization has settings to read.
  const settings = polled.value.kind === 'ready' ? await reader.settings(signal) : noSettings('not-asked')
  return {
    ok: true,
    value: {
      desired: manifest,
      observed: polled.value,
      settings,
      ...selectContent(newest.value),
      url,
      stateLocation,
      files: bound.value.digests,
      licenses: bound.value.licenses,
      ignored,
      now: clock.now(),
      lifetimeMs,
      tool,
    },
  }
}

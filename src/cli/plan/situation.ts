import { siteReader } from '../../client/site-reader.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import { noSettings, type Observation, type SiteSettings } from '../../plan/observation.js'
import type { Situation } from '../../plan/planner.js'
import { type Content, contentOf } from '../../state/site-state.js'
import { tool } from '../../version.js'
import type { Host } from '../host.js'
import { observe } from '../observe.js'
import type { Failure } from '../output.js'
import { referencesFailure, type Session } from '../session.js'
import { stateFailureOf } from '../state/state-failure.js'

/** What a plan is to be made with, beside what is there. */
export interface PlanOptions {
  /** Fields whose edits are not to stop the plan. */
  readonly ignored: readonly JsonPointer[]
  /** How long the plan may be used, in milliseconds. */
  readonly lifetimeMs: number
  readonly signal: AbortSignal
}

/** How long a plan may be used unless its maker says otherwise: a day. */
export const defaultLifetimeMs = 24 * 3_600_000

export type Gathered =
  | { readonly ok: true; readonly situation: Situation }
  | { readonly ok: false; readonly failure: Failure }

/** Binds the files, looks at the site and reads the record: everything that a plan is made from. Only ever reads. */
export async function gather(session: Session, host: Host, options: PlanOptions): Promise<Gathered> {
  const { manifest, url } = session
  const { ignored, lifetimeMs, signal } = options
  const bound = await session.bind()
  if (!bound.ok) return { ok: false, failure: referencesFailure(session, bound.diagnostics) }
  const looked = await observe(session, signal)
  if (!looked.ok) return looked
  const kept = await readState(session)
  if (!kept.ok) return kept
  return {
    ok: true,
    situation: {
      desired: manifest,
      observed: looked.observed,
      settings: await settingsOf(session, looked.observed, signal),
      ...kept.value,
      url,
      files: bound.digests,
      licenses: bound.licenses,
      ignored,
      now: host.clock.now(),
      lifetimeMs,
      tool,
    },
  }
}

/** Only a site that has its organization has settings to tell. */
async function settingsOf(
  { url, route, lendToken }: Session,
  observed: Observation,
  signal: AbortSignal,
): Promise<SiteSettings> {
  return observed.kind === 'ready'
    ? siteReader(url, lendToken, route).settings(signal)
    : noSettings('not-asked')
}

/** What is kept about a site, or why that cannot be read. */
export async function readState({
  state,
}: Pick<Session, 'state'>): Promise<
  { readonly ok: true; readonly value: Content } | { readonly ok: false; readonly failure: Failure }
> {
  const newest = await state.read()
  if (newest.ok) return { ok: true, value: contentOf(newest.value) }
  return { ok: false, failure: stateFailureOf(newest.failure) }
}

import type { JsonPointer } from '../diagnostics/pointer.js'
import type { Manifest } from '../manifest/manifest.js'
import { digestCanonical } from './canonical.js'
import type { Observation, SiteSettings } from './observation.js'
import type { ApplyRecord } from './record.js'
import type { Submission } from './submission.js'

/** Everything that a plan is made from. */
export interface Situation {
  readonly desired: Manifest
  readonly observed: Observation
  /** What the site tells beside its state, if it tells anything. */
  readonly settings: SiteSettings
  readonly record: ApplyRecord
  /** What became of the last `configure` that was meant for the site, if one was. */
  readonly submission?: Submission
  /** Base URL of the site that was observed. */
  readonly url: string
  /** Where its state is kept, in the notation of `spec.state`. */
  readonly stateLocation?: string | undefined
  /** Digests of the files beside the manifest that the plan is bound to, by path. */
  readonly files: Readonly<Record<string, string>>
  /** Digests of the license files, by their fields. */
  readonly licenses: Readonly<Record<string, string>>
  /** Fields whose edits are not to stop the plan, though nothing can carry them out. */
  readonly ignored: readonly JsonPointer[]
  /** Milliseconds since 1970. */
  readonly now: number
  /** How long the plan may be used, in milliseconds. */
  readonly lifetimeMs: number
  readonly tool: string
}

/** The digest of what is kept about a site, by which a plan knows it again. */
export function computeRecordDigest({
  record,
  submission,
}: Pick<Situation, 'record' | 'submission'>): string {
  const { organization, policy, plan: used } = record
  const sent = submission && { nonce: submission.nonce, state: submission.state }
  return digestCanonical({ organization, policy, plan: used, submission: sent })
}

import type { Manifest } from '../manifest/manifest.js'
import type { JsonPointer } from '../schema/pointer.js'
import { digestCanonical } from './canonical.js'
import type { ApplyRecord } from './generated/state.js'
import type { Observation, SiteSettings } from './observation.js'
import type { Submission, SubmissionState } from './submission.js'

export type { RecordedOrganization } from '../manifest/manifest.js'
export type { ApplyRecord, Assertion } from './generated/state.js'

/** The record of a site that Landform never applied anything to. */
export const emptyRecord: ApplyRecord = { serial: 0 }

/** The complete input of a plan. */
export interface Situation {
  readonly desired: Manifest
  readonly observed: Observation
  /** The settings that the site reports, if any. */
  readonly settings: SiteSettings
  readonly record: ApplyRecord
  /** The last submission of `configure` for the site, if there is one. */
  readonly submission?: Submission
  /** Base URL of the site that was observed. */
  readonly url: string
  /** The location of its state, in the notation of `spec.state`. */
  readonly stateLocation?: string | undefined
  /** Replaces a text that only the site has, if this process lacks a secret that the site may repeat. */
  readonly withhold?: ((text: string) => string) | undefined
  /** Digests of the other files (besides the manifest) that the plan is bound to, by path. */
  readonly files: Readonly<Record<string, string>>
  /** Digests of the license files, by field. */
  readonly licenses: Readonly<Record<string, string>>
  /** Fields whose edits do not stop the plan although they cannot be applied. */
  readonly ignored: readonly JsonPointer[]
  /** Milliseconds since 1970. */
  readonly now: number
  /** The time for which the plan is valid, in milliseconds. */
  readonly lifetimeMs: number
  readonly tool: string
}

/** Computes the digest of a site's record and submission, to which a plan is bound. */
export function computeRecordDigest({
  record,
  submission,
}: Pick<Situation, 'record' | 'submission'>): string {
  const { organization, policy, assertions, plan: used } = record
  const sent = submission && { nonce: submission.nonce, state: submission.state }
  return digestCanonical({ organization, policy, assertions, plan: used, submission: sent })
}

/**
 * Derives an observation from the stored state, for a site that must not be read. A site without state counts as new.
 * A plan that is made from it is marked as such and cannot be applied.
 */
export function assumeObservation({
  record,
  submission,
}: Pick<Situation, 'record' | 'submission'>): Observation {
  const kind =
    submission === undefined
      ? record.organization === undefined
        ? 'not-configured'
        : 'ready'
      : assumedStates[submission.state]
  return { kind, assumed: true, warnings: [], stages: [] }
}

/** The site state to assume for each submission. A pending submission counts as not configured: the planner handles it. */
const assumedStates: Readonly<Record<SubmissionState, Exclude<Observation['kind'], 'unrecognized'>>> = {
  intent: 'not-configured',
  'not-sent': 'not-configured',
  rejected: 'not-configured',
  acknowledged: 'not-configured',
  unknown: 'not-configured',
  begun: 'in-progress',
  ready: 'ready',
  failed: 'failed',
  cleared: 'not-configured',
}

import { computeDigest } from '../manifest/digest.js'
import { digestCanonical } from '../plan/canonical.js'
import type { Action } from '../plan/plan.js'
import { type ApplyRecord, emptyRecord } from '../plan/record.js'
import type { Holder, Submission, SubmissionState } from '../plan/submission.js'
import { checkState } from '../schema/check-state.js'
import type { Version } from './series.js'
import type { MovedTo, StateFailure, StateReason, StateReply } from './state-failure.js'

/** The lock that holds a site for one run, so that no other begins anything. */
export interface Lock {
  /** Identifies the lock for removal by hand. */
  readonly nonce: string
  /** Serial of the version that took it: a later lock has a higher one. */
  readonly fence: number
  readonly holder: Holder
  /** Purpose of the run, such as `apply`. */
  readonly purpose: string
  readonly since: string
  /** End of the lease unless it is renewed; absent where locks are not leases. */
  readonly expiresAt?: string
}

/** The receipt of an apply, as it is kept. */
export interface KeptReceipt {
  readonly startedAt: string
  readonly finishedAt: string
  /** Kind of its outcome. */
  readonly outcome: string
  /** Message of the service, or the fact that is unknown, for outcomes that have one. Untrusted. */
  readonly reason?: string
  /** Digest of the manifest that was applied. */
  readonly manifest: string
  /** Id of the plan, where a saved one was performed. */
  readonly plan?: string
  readonly actions: readonly Pick<Action, 'operation' | 'change'>[]
}

/** The event for which a version of the state was written. */
export type StateEntry =
  /**
   * A run began; `former` is the lock before, whose process was proven to be gone (`isGone`), or whose hold on the site
   * had ended.
   */
  | { readonly type: 'locked'; readonly former?: Lock; readonly isGone?: true }
  | { readonly type: 'renewed' }
  /** `keptIn`, in the notes of a machine, is the state that the submission belongs to. */
  | {
      readonly type: 'submission'
      readonly state: SubmissionState
      readonly keptIn?: { readonly where: string; readonly lineage: string }
    }
  /** An operator wants to withdraw the request: the period in which it may still arrive begins. */
  | { readonly type: 'draining' }
  /** A saved plan is used, and cannot be used again. */
  | { readonly type: 'plan'; readonly id: string }
  | { readonly type: 'policy'; readonly state: 'attempted' | 'applied' }
  /** A run ended. */
  | { readonly type: 'receipt'; readonly receipt: KeptReceipt }
  /** A person asserted how the site is configured. */
  | { readonly type: 'adopted' }
  /** A run released the site before it did anything. */
  | { readonly type: 'released' }
  /** A person removed the lock of a run. */
  | { readonly type: 'unlocked'; readonly lock: Lock }
  /**
   * A pointer: the state is elsewhere. In the chain of a name it holds the address that the state belongs to, and
   * `source`, the place that the state comes from, until it has arrived.
   */
  | ({ readonly type: 'moved'; readonly source?: MovedTo } & MovedTo)
  /** The first version of state that was moved here. */
  | { readonly type: 'received'; readonly source: MovedTo & { readonly serial: number } }

/** Everything that is kept about one site, with the entry for which this version was written. Holds nothing secret. */
export interface SiteState {
  readonly formatVersion: typeof stateFormat
  /** Base URL of the site: the state of one site is never used for another. */
  readonly site: string
  /** Created with the first version: two histories of one site differ in it. */
  readonly lineage: string
  /** Counts versions; 0 means none yet. */
  readonly serial: number
  /** Digest of the text of the version before; null in the first. */
  readonly previous: string | null
  readonly writtenAt: string
  /** Name and version of the tool. */
  readonly tool: string
  readonly entry: StateEntry
  readonly lock?: Lock
  readonly submission?: Submission
  readonly record: ApplyRecord
}

/** The part of the state that a run changes. The rest follows from the position in the chain. */
export type StateContent = Pick<SiteState, 'submission' | 'record'>

/** The content for a site without versions. */
export const emptyContent: StateContent = { record: emptyRecord }

/** Selects the content of a version; before the first version, the empty content. */
export function selectContent(state: SiteState | undefined): StateContent {
  if (state === undefined) return emptyContent
  const { submission, record } = state
  return { record, ...(submission !== undefined && { submission }) }
}

/** The format of the state. */
export const stateFormat = 1

/** The characters that terminals obey, some of which JSON leaves unescaped. */
const unsafe = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Matches nearly every text, in which nothing unsafe has to be looked for. */
const plain = /^[\n -~]*$/

/**
 * Formats a version as text, with its checksum. Control characters are escaped, so that a message of the service in it
 * cannot move the cursor or reverse a line.
 */
export function formatState(state: SiteState): string {
  const text = JSON.stringify({ ...state, checksum: digestCanonical(state) }, null, 2)
  return `${plain.test(text) ? text : text.replaceAll(unsafe, escapeCharacter)}\n`
}

function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

/** Computes the digest of a text; the next version refers to it. */
export function digestOfText(text: string): string {
  return computeDigest(Buffer.from(text))
}

/** Reads a version, and verifies that it is complete, of a known layout, of this site and of this number. */
export function parseState(
  { text, serial }: Version,
  { site, where }: { readonly site: string; readonly where: string },
): StateReply<SiteState> {
  const failed = (kind: StateFailure['kind'], reason: StateReason) =>
    ({ ok: false, error: { kind, where, reason } }) as const
  let stored: unknown
  try {
    stored = JSON.parse(text)
  } catch {
    return failed('damaged', { kind: 'not-json', serial })
  }
  const written = (stored as { formatVersion?: unknown } | null)?.formatVersion
  if (typeof written === 'number' && written > stateFormat) return failed('newer', { kind: 'newer-format' })
  if (checkState(stored).length > 0) return failed('damaged', { kind: 'not-a-state', serial })
  const { checksum, ...state } = stored as SiteState & { readonly checksum: string }
  if (digestCanonical(state) !== checksum) return failed('damaged', { kind: 'wrong-checksum', serial })
  if (state.serial !== serial) return failed('damaged', { kind: 'wrong-serial', serial, found: state.serial })
  if (state.site !== site) return failed('foreign', { kind: 'other-site' })
  return { ok: true, value: state }
}

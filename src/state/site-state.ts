import { computeDigest } from '../manifest/digest.js'
import { escapeUnits } from '../manifest/yaml-text.js'
import { digestCanonical } from '../plan/canonical.js'
import type { StateDocument } from '../plan/generated/state.js'
import { emptyRecord } from '../plan/situation.js'
import { checkState } from '../schema/check.js'
import type { Version } from './series.js'
import type { StateFailure, StateReason, StateReply } from './state-failure.js'

export type { KeptReceipt, Lock, StateEntry } from '../plan/generated/state.js'

/** The stored facts about one site, with the entry that caused this version. Contains no secrets. */
export type SiteState = Omit<StateDocument, 'checksum'>

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

/** True if a run observed the site ready, or a user asserted it. */
export function wasSeenReady({ submission, record }: StateContent): boolean {
  if (submission !== undefined) return submission.state === 'ready'
  return record.organization !== undefined || record.policy !== undefined
}

/** The format of the state. */
export const stateFormat = 1

/** Control characters of terminals; JSON leaves some of them unescaped. */
const unsafe = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * Formats a version as text, with its checksum. Escapes control characters, so that a message of the service cannot
 * move the cursor or reverse a line.
 */
export function formatState(state: SiteState): string {
  const text = JSON.stringify({ ...state, checksum: digestCanonical(state) }, null, 2)
  return `${text.replaceAll(unsafe, escapeUnits)}\n`
}

/** The codes of an entry as the title of its document, such as `submission: acknowledged`. */
export function titleOf({ entry, lock }: Pick<SiteState, 'entry' | 'lock'>): string {
  switch (entry.type) {
    case 'locked':
      return `locked: ${lock?.purpose}`
    case 'submission':
      return `submission: ${entry.state}`
    case 'receipt':
      return `receipt: ${entry.receipt.outcome}`
    // The chain of a name or of a manifest has only such pointers.
    case 'moved':
      return `moved: ${entry.site ?? entry.state}`
    default:
      return entry.type
  }
}

/** Computes the digest of a text; the next version refers to it. */
export function digestOfText(text: string): string {
  return computeDigest(Buffer.from(text))
}

/** Reads a version, and verifies that it is complete, has a known format, and belongs to this site and number. */
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
  const { checksum, ...state } = stored as StateDocument
  if (digestCanonical(state) !== checksum) return failed('damaged', { kind: 'wrong-checksum', serial })
  if (state.serial !== serial) return failed('damaged', { kind: 'wrong-serial', serial, found: state.serial })
  if (state.site !== site) return failed('foreign', { kind: 'other-site' })
  return { ok: true, value: state }
}

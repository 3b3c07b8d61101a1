import type { Holder, Liveness, Submission, SubmissionState } from '../plan/submission.js'
import { formatDotted } from '../schema/pointer.js'
import type { IntentNote } from '../state/intent-notes.js'
import type { LockOwner } from '../state/ports.js'
import type { KeptReceipt, Lock, SiteState, StateEntry } from '../state/site-state.js'
import type { MovedTo } from '../state/state-failure.js'
import { display } from './display.js'
import { formatNumber } from './phrase.js'
import type { Paint } from './terminal.js'
import { describeKeptReason } from './unknown-outcome.js'

/** The states of a submission, each with the time of its change after it. */
const submissionWords: Readonly<Record<SubmissionState, (at: string) => string>> = {
  intent: at => `submission intent recorded${at}; the request may have been sent`,
  'not-sent': at => `recorded as not sent${at}`,
  rejected: at => `rejected by the service${at}`,
  acknowledged: at => `accepted by the service${at}`,
  unknown: at => `sent${at}, not confirmed; it may have been accepted`,
  begun: at => `the site was being configured${at}`,
  ready: at => `the site was ready${at}`,
  failed: at => `the configuration failed${at}`,
  cleared: at => `discarded by an operator${at} as not having reached the service; it may be sent again`,
}

/** Describes the progress of the one `configure` of a site in one sentence. */
export function describeSubmission(submission: Submission | undefined): string {
  if (submission === undefined) return 'no submission is recorded here'
  const { state, changedAt, reason, generation, organization } = submission
  if (organization.asserted && state === 'ready')
    return `not sent by Landform: a person asserted on ${changedAt} that the site was configured already`
  const because = reason === undefined || reason === '' ? '' : `: ${display(reason, 500)}`
  const which = generation === 1 ? '' : ` (request ${generation})`
  return `${submissionWords[state](` at ${changedAt}`)}${which}${because}`
}

/** Formats a process, so that people can find it. */
export function describeHolder({ host, pid }: Holder): string {
  return `process ${pid} on ${display(host)}`
}

/** Describes the reason for a version of the state in one sentence. */
export function describeEntry({ entry, lock }: Pick<SiteState, 'entry' | 'lock'>): string {
  switch (entry.type) {
    case 'locked': {
      const who = lock === undefined ? 'a run' : `${display(lock.purpose)} of ${describeHolder(lock.holder)}`
      if (entry.former === undefined) return `${who} acquired the lock`
      const end = entry.isGone ? 'which had ended' : 'whose lease had expired'
      return `${who} acquired the lock, taking over from ${describeHolder(entry.former.holder)}, ${end}`
    }
    case 'renewed':
      return 'the lock was renewed'
    case 'submission':
      return `configure: ${submissionWords[entry.state]('')}`
    case 'draining':
      return 'started counting the time in which the request may still arrive'
    case 'policy':
      return 'the placement policy was about to be sent'
    case 'receipt': {
      const { outcome, actions } = entry.receipt
      const steps = actions.map(({ operation, change }) => `${operation}: ${change}`).join(', ')
      return `apply ended: ${display(outcome)}${steps === '' ? '' : ` (${steps})`}`
    }
    case 'adopted':
      return describeAdopted(entry)
    case 'released':
      return 'the lock was released'
    case 'unlocked':
      return `a person removed the lock of ${describeHolder(entry.lock.holder)}`
    case 'moved':
      return `the state moved to ${describePlace(entry)}`
    case 'received':
      return `the state was moved here from ${describePlace(entry.source)}`
    default:
      return entry satisfies never
  }
}

function describeAdopted({
  by = 'a person',
  reason,
  parts,
}: StateEntry & { readonly type: 'adopted' }): string {
  const whole = parts === undefined || parts.includes('/spec')
  const what = whole ? 'the configuration of the site' : parts.map(formatDotted).join(', ')
  return `${display(by)} asserted ${display(what)}${reason === undefined ? '' : `: ${display(reason)}`}`
}

function describePlace({ state, site }: MovedTo): string {
  const parts = [state, site].flatMap(part => (part === undefined ? [] : display(part)))
  return parts.length === 0 ? 'its default place' : parts.join(' ')
}

/** The parts of a version that the history shows. */
type StateVersion = Pick<SiteState, 'serial' | 'writtenAt' | 'tool' | 'entry' | 'lock'>

/** The stored state of a site, verified to be one complete chain of versions. */
export interface StateSummary {
  readonly site: string
  /** The state location. */
  readonly where: string
  /** Absent if there is no state yet. */
  readonly newest?: SiteState
  /** The versions to show, the oldest first. */
  readonly history: readonly StateVersion[]
  /** The lock and the liveness of its owner; absent if the site is not locked. */
  readonly lockOwner?: LockOwner
}

/** The machine form of a state summary, without manifest values; its schema is `schemas/history.schema.json`. */
export function stateSummaryDocument({ site, where, newest, history, lockOwner }: StateSummary) {
  const { submission, record } = newest ?? {}
  const { organization, policy, assertions, plan } = record ?? {}
  return {
    formatVersion: 1,
    site,
    where,
    lineage: newest?.lineage ?? null,
    serial: newest?.serial ?? 0,
    lock: lockOwner === undefined ? null : { ...lockOwner.lock, liveness: lockOwner.liveness },
    submission: submission === undefined ? null : omitValues(submission),
    record: {
      serial: record?.serial ?? 0,
      ...(organization && {
        organization: {
          appliedAt: organization.appliedAt,
          ...(organization.asserted && { asserted: organization.asserted }),
          manifest: organization.manifest,
        },
      }),
      ...(policy && { policy: { appliedAt: policy.appliedAt } }),
      ...(assertions && { assertions }),
      ...(plan && { plan }),
    },
    history: history.map(version => ({
      serial: version.serial,
      at: version.writtenAt,
      tool: version.tool,
      message: describeEntry(version),
      entry: version.entry,
    })),
  } as const
}

function omitValues({ organization, ...rest }: Submission) {
  return {
    ...rest,
    ...(organization.asserted && { asserted: organization.asserted }),
    manifest: organization.manifest,
  }
}

/** The liveness of the process that owns a lock. */
export const livenessWords = {
  alive: 'it is running',
  dead: 'it has ended; the next run takes over the lock',
  elsewhere: 'it cannot be determined from here whether it is running',
} as const satisfies Record<Liveness, string>

/** Describes the owner of a lock, and its start and end. */
function describeLock({ holder, purpose, since, expiresAt }: Lock): string {
  const until = expiresAt === undefined ? '' : `, until ${expiresAt} unless renewed`
  return `${display(purpose)} of ${describeHolder(holder)}, since ${since}${until}`
}

/** Describes the lock that blocks a command, and the liveness of its owner if known. */
export function describeLocked(lock: Lock, liveness?: Liveness): string {
  const words = `the site is locked by ${describeLock(lock)}`
  return liveness === undefined ? words : `${words}; ${livenessWords[liveness]}`
}

/**
 * Formats the state of a site for people: a summary, and then one line per version, the newest last; if verbose, with the
 * receipts in full.
 */
export function formatStateSummary(
  { site, where, newest, history, lockOwner }: StateSummary,
  { paint, verbose }: { readonly paint: Paint; readonly verbose: boolean },
): string {
  const head = [display(site), `kept in    ${display(where)}`]
  const lock = `lock       ${lockOwner === undefined ? 'none' : `${describeLock(lockOwner.lock)}; ${livenessWords[lockOwner.liveness]}`}`
  if (newest === undefined) {
    const held = lockOwner === undefined ? [] : [lock]
    return [...head, 'no state is kept for this site yet', ...held, ''].join('\n')
  }
  const { submission, serial } = newest
  const count = serial === 1 ? '1 version' : `${serial} versions, complete and in order`
  const omitted = serial - history.length
  return [
    ...head,
    `chain      ${count}`,
    `configure  ${paint('bold', describeSubmission(submission))}`,
    ...(submission === undefined ? [] : [`request    ${submission.nonce}`]),
    lock,
    ...formatRecord(newest),
    '',
    ...(omitted === 0 ? [] : [`       ${formatNumber(omitted, 'earlier version')}: --all shows them`]),
    ...history.flatMap(version => formatVersion(version, verbose)),
    '',
  ].join('\n')
}

function formatRecord({
  record: { organization, policy, assertions = [], plan },
}: SiteState): readonly string[] {
  const known = [
    ...(organization === undefined
      ? []
      : [
          `organization ${organization.asserted ? 'asserted by a person' : 'applied'} on ${organization.appliedAt}, from the manifest ${organization.manifest}`,
        ]),
    ...(policy === undefined ? [] : [`placement policy applied on ${policy.appliedAt}`]),
    ...assertions
      .filter(({ pointer }) => pointer !== '/spec')
      .map(
        ({ pointer, assertedAt, by = 'a person' }) =>
          `${display(formatDotted(pointer))} asserted by ${display(by)} on ${assertedAt}`,
      ),
    ...(plan === undefined ? [] : [`saved plan ${plan.id}, used ${plan.usedAt}`]),
  ]
  return known.length === 0
    ? ['record     none']
    : known.map((text, at) => `${(at === 0 ? 'record' : '').padEnd(11)}${text}`)
}

function formatVersion(version: StateVersion, verbose: boolean): readonly string[] {
  const { serial, writtenAt, entry } = version
  const line = `${String(serial).padStart(5)}  ${writtenAt}  ${describeEntry(version)}`
  return verbose && entry.type === 'receipt' ? [line, ...formatReceipt(entry.receipt)] : [line]
}

function formatReceipt({
  startedAt,
  finishedAt,
  manifest,
  plan,
  reason = '',
}: KeptReceipt): readonly string[] {
  return [
    `began ${startedAt}, ended ${finishedAt}`,
    `manifest ${manifest}`,
    ...(plan === undefined ? [] : [`plan ${plan}`]),
    ...(reason === '' ? [] : [`because: ${describeKeptReason(reason)}`]),
  ].map(text => `${' '.repeat(9)}${text}`)
}

/** Formats the open submission intents of a machine, each with the file of its note. */
export function formatOpenIntents(
  intents: readonly (IntentNote & { readonly note: string })[],
  paint: Paint,
): string {
  if (intents.length === 0) return 'no open submission intents on this machine\n'
  return intents
    .map(({ site, name, recordedAt, state, manifest, note }) =>
      [
        paint('bold', display(name === undefined ? site : `${name}  ${site}`)),
        `recorded   ${display(recordedAt)}; its outcome is not known yet`,
        `kept in    ${display(state)}`,
        ...(manifest === undefined ? [] : [`manifest   ${display(manifest)}`]),
        `note       ${display(note)}`,
        '',
      ].join('\n'),
    )
    .join('\n')
}

import type { Liveness, Submission } from '../../plan/submission.js'
import type { LockOwner } from '../../state/ports.js'
import type { KeptReceipt, SiteState } from '../../state/site-state.js'
import { display } from '../display.js'
import { describeKeptReason, describeLock } from '../outcome-text.js'
import type { Paint } from '../paint.js'
import { describeEntry, describeSubmission } from './history-words.js'

/** The state that is kept about a site, verified to be one complete chain of versions. */
export interface StateSummary {
  readonly site: string
  /** The state location. */
  readonly where: string
  /** Every version, the oldest first. */
  readonly history: readonly SiteState[]
  /** The lock and the liveness of its owner; absent if the site is not locked. */
  readonly lockOwner?: LockOwner
}

/** The machine form of a state summary; its schema is `schemas/history.schema.json`. It has no values of the manifest. */
export function stateSummaryDocument({ site, where, history, lockOwner }: StateSummary, describe: Describe) {
  const newest = history.at(-1)
  const { submission, record } = newest ?? {}
  const { organization, policy, plan } = record ?? {}
  return {
    formatVersion: 1,
    site,
    where,
    lineage: newest?.lineage ?? null,
    serial: newest?.serial ?? 0,
    lock: lockOwner === undefined ? null : { ...lockOwner.lock, liveness: lockOwner.liveness },
    submission: submission === undefined ? null : withoutValues(submission),
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
      ...(plan && { plan }),
    },
    history: history.map(version => ({
      serial: version.serial,
      at: version.writtenAt,
      tool: version.tool,
      message: describe(version),
      entry: version.entry,
    })),
  } as const
}

type Describe = (version: SiteState) => string

function withoutValues(submission: Submission) {
  const { organization, ...rest } = submission
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

interface View {
  readonly paint: Paint
  /** Receipts in full. */
  readonly verbose: boolean
}

/** Formats the state of a site for people: a summary, and then one line per version, the newest last. */
export function formatStateSummary(standing: StateSummary, { paint, verbose }: View): string {
  const { site, where, history, lockOwner } = standing
  const newest = history.at(-1)
  const head = [display(site), `kept in    ${display(where)}`]
  const lock = `lock       ${lockOwner === undefined ? 'none' : `${describeLock(lockOwner.lock)}; ${livenessWords[lockOwner.liveness]}`}`
  if (newest === undefined) {
    const held = lockOwner === undefined ? [] : [lock]
    return [...head, 'no state is kept for this site yet', ...held, ''].join('\n')
  }
  const { submission, serial } = newest
  const count = serial === 1 ? '1 version' : `${serial} versions, complete and in order`
  return [
    ...head,
    `chain      ${count}`,
    `configure  ${paint('bold', describeSubmission(submission))}`,
    ...(submission === undefined ? [] : [`request    ${submission.nonce}`]),
    lock,
    ...formatRecord(newest),
    '',
    ...history.flatMap(version => formatVersion(version, verbose)),
    '',
  ].join('\n')
}

function formatRecord({ record: { organization, policy, plan } }: SiteState): readonly string[] {
  const known = [
    ...(organization === undefined
      ? []
      : [
          `organization ${organization.asserted ? 'asserted by a person on' : 'of'} ${organization.appliedAt}, from the manifest ${organization.manifest}`,
        ]),
    ...(policy === undefined ? [] : [`placement policy of ${policy.appliedAt}`]),
    ...(plan === undefined ? [] : [`saved plan ${plan.id}, used ${plan.usedAt}`]),
  ]
  return known.length === 0
    ? ['record     nothing']
    : known.map((text, at) => `${(at === 0 ? 'record' : '').padEnd(11)}${text}`)
}

function formatVersion(version: SiteState, verbose: boolean): readonly string[] {
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

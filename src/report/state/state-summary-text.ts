import type { KeptReceipt, SiteState } from '../../state/site-state.js'
import { display } from '../display.js'
import { describeLock } from '../outcome-text.js'
import type { Paint } from '../paint.js'
import { describeKeptReason } from '../wording/unknown-outcome.js'
import { describeEntry } from './entry-words.js'
import { livenessWords, type StateSummary } from './state-summary.js'
import { describeSubmission } from './submission-words.js'

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

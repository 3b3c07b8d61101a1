import type { Holder, Submission, SubmissionState } from '../../plan/submission.js'
import type { SiteState, StateEntry } from '../../state/site-state.js'
import type { MovedTo } from '../../state/state-failure.js'
import { display } from '../display.js'

const submissionWords: Readonly<Record<SubmissionState, string>> = {
  intent: 'submission intent recorded; the request may have been sent',
  'not-sent': 'nothing of it was sent',
  rejected: 'rejected by the service',
  acknowledged: 'accepted by the service',
  unknown: 'sent, without a complete response; it may have been accepted',
  begun: 'the site was observed configuring',
  ready: 'the site was ready',
  failed: 'the configuration failed',
  cleared: 'discarded by an operator as not having reached the service; it may be sent again',
}

/** Describes the progress of the one `configure` of a site in one sentence. */
export function describeSubmission(submission: Submission | undefined): string {
  if (submission === undefined) return 'no submission is recorded here'
  const { state, changedAt, reason, generation, organization } = submission
  if (organization.asserted && state === 'ready')
    return `not sent by Landform: a person asserted on ${changedAt} that the site was configured already`
  const said = reason === undefined || reason === '' ? '' : `: ${display(reason, 500)}`
  const which = generation === 1 ? '' : ` (request ${generation})`
  return `${submissionWords[state]}, since ${changedAt}${which}${said}`
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
      return `${who} acquired the lock${describeFormer(entry)}`
    }
    case 'renewed':
      return 'the run renewed the lock'
    case 'submission':
      return `configure: ${submissionWords[entry.state]}`
    case 'draining':
      return 'started counting the time in which the request may still arrive'
    case 'plan':
      return `the saved plan ${entry.id.slice(0, 19)}… was used`
    case 'policy':
      return entry.state === 'attempted'
        ? 'the placement policy was about to be sent'
        : 'the placement policy was set'
    case 'receipt':
      return `the run ended: ${display(entry.receipt.outcome)}${formatSteps(entry)}`
    case 'adopted':
      return 'a person asserted how the site is configured'
    case 'released':
      return 'the run released the lock'
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

function describePlace({ state, site }: MovedTo): string {
  const parts = [state, site].flatMap(part => (part === undefined ? [] : display(part)))
  return parts.length === 0 ? 'its default place' : parts.join(' ')
}

function describeFormer({ former, isGone }: StateEntry & { readonly type: 'locked' }): string {
  if (former === undefined) return ''
  const end = isGone ? 'which had ended' : 'whose lease had expired'
  return `, taking over from ${describeHolder(former.holder)}, ${end}`
}

function formatSteps({ receipt: { actions } }: StateEntry & { readonly type: 'receipt' }): string {
  return actions.length === 0
    ? ''
    : ` (${actions.map(({ operation, change }) => `${operation}: ${change}`).join(', ')})`
}

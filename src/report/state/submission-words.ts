import type { Holder, Submission, SubmissionState } from '../../plan/submission.js'
import { display } from '../display.js'

/** What each state of a request says of it, in a few words. */
export const submissionWords: Readonly<Record<SubmissionState, string>> = {
  intent: 'promised; it may have been sent',
  'not-sent': 'not a byte of it was sent',
  rejected: 'the service said no',
  acknowledged: 'the service took it over',
  unknown: 'sent, and no whole answer came back; it may have been taken',
  begun: 'the site was seen configuring',
  ready: 'the site was ready',
  failed: 'the configuration failed',
  cleared: 'an operator made sure that nothing comes of it; it may be sent again',
}

/** How far the one `configure` of a site came, in one sentence. */
export function describeSubmission(submission: Submission | undefined): string {
  if (submission === undefined) return 'never promised here'
  const { state, changedAt, reason, generation } = submission
  const said = reason === undefined || reason === '' ? '' : `: ${display(reason, 500)}`
  const which = generation === 1 ? '' : ` (request ${generation})`
  return `${submissionWords[state]}, since ${changedAt}${which}${said}`
}

/** A process, as people can look for it. */
export function describeHolder({ host, pid }: Holder): string {
  return `process ${pid} on ${display(host)}`
}

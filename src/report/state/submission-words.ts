import type { Holder, Submission, SubmissionState } from '../../plan/submission.js'
import { display } from '../display.js'

/** The states of a submission, in a few words. */
export const submissionWords: Readonly<Record<SubmissionState, string>> = {
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

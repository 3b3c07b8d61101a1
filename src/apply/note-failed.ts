import { mayBeOurs } from '../plan/submission.js'
import type { StateStore } from '../state/ports.js'
import type { Clock } from './clock.js'
import { buildSubmissionEntry, withSubmissionState } from './journal.js'

/**
 * Records the failure of a configuration that was only polled, as an apply does that follows it: whoever fixes such a site
 * may do it by hand, and the record must not claim the fields of the manifest. Does nothing where the state cannot be
 * written.
 */
export async function recordFailure(
  state: StateStore,
  { message = '', clock }: { readonly message: string | undefined; readonly clock: Clock },
): Promise<void> {
  const taken = await state.take(
    'apply',
    ({ submission }) => submission !== undefined && mayBeOurs(submission) && submission.state !== 'failed',
  )
  if (taken.kind !== 'held') return
  const move = { state: 'failed', now: clock.now(), reason: message } as const
  await taken.held.write(buildSubmissionEntry('failed'), content => withSubmissionState(content, move))
  await taken.held.release({ type: 'released' })
}

import type { Configure } from '../plan/plan.js'
import type { ApplyEvent } from './event.js'
import type { Outcome } from './outcome.js'
import type { Context } from './ports.js'

/** A site that does not answer about licenses must not delay an apply for longer. */
const deadlineMs = 10_000

/**
 * Asks the service about the license while nothing is recorded or sent yet. Only an explicit refusal ends the run,
 * and a list without the user type where a policy says so: sites are not known to have this resource, so that any other
 * answer says nothing. Public sources.
 */
export async function* checkLicense(
  { organization }: Configure & { readonly change: 'create' },
  { client, secrets, options }: Context,
): AsyncGenerator<ApplyEvent, Outcome | undefined> {
  const { checkLicense: isWanted = false, requireListedUserType: isRequired = false, signal } = options
  const answer =
    isWanted || isRequired ? await client.validateLicense?.(secrets, { deadlineMs, signal }) : undefined
  if (signal.aborted) return { kind: 'interrupted' }
  if (answer?.kind === 'refused')
    return { kind: 'not-taken', operation: 'configure', failure: answer.failure, because: 'license' }
  const { userType } = organization.administrator
  if (answer?.kind !== 'valid' || answer.userTypes.includes(userType)) return undefined
  const { userTypes: listed } = answer
  if (isRequired) return { kind: 'not-permitted', userType, listed }
  yield { type: 'user-type-unlisted', userType, listed }
  return undefined
}

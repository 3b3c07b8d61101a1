import { randomBytes } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import type { Host } from 'landform/cli'
import type { Rollout } from '../model/run.js'

/** Creates a submission by the current user. Its id begins with the day, so that a list of them is in order. */
export function createRollout(
  { clock }: Host,
  keepsGoing: boolean,
): Pick<Rollout, 'id' | 'submittedBy' | 'keepsGoing'> {
  const day = new Date(clock.now()).toISOString().slice(0, 10).replaceAll('-', '')
  return { id: `${day}-${randomBytes(3).toString('hex')}`, submittedBy: describeSubmitter(), keepsGoing }
}

function describeSubmitter(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    // A container may run under a user id without a name.
    return hostname()
  }
}

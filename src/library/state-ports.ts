import { randomBytes } from 'node:crypto'
import type { StatePorts } from '../state/ports.js'
import { liveness, thisProcess } from '../state/process-identity.js'
import { tool } from '../version.js'

/** Text that nobody guesses, short enough to be typed. */
export const nonce = () => randomBytes(12).toString('hex')

/** What the state of sites needs of this process. */
export function statePorts(clock: { now(): number }): StatePorts {
  return { now: () => clock.now(), nonce, self: thisProcess, liveness, tool }
}

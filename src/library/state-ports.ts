import { randomBytes } from 'node:crypto'
import type { StatePorts } from '../state/ports.js'
import { liveness, thisProcess } from '../state/process-identity.js'
import { tool } from '../version.js'

/** Makes text that cannot be guessed, and is short enough to be typed. */
export const nonce = () => randomBytes(12).toString('hex')

/** Makes the ports of the state of sites, for this process. */
export function statePorts(clock: { now(): number }): StatePorts {
  return { now: () => clock.now(), nonce, self: thisProcess, liveness, tool }
}

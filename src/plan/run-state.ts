import { runStates } from '../schema/documents/parts.js'

export { runStates }

/**
 * The state of a site in a run over many sites, in one process or in a fleet of workers. A site is `waiting` for its wave,
 * `queued` for a worker or `running`, and ends in one of the other states: `ambiguous` needs an operator; `refused` needs
 * another manifest, secret or policy; `unfinished` needs more time.
 */
export type RunState = (typeof runStates)[number]

/** The state of a site whose run has ended. */
export type EndState = Exclude<RunState, 'running' | 'queued' | 'waiting'>

/** True if the run of the site has ended. */
export function hasEnded(state: RunState): state is EndState {
  return state !== 'waiting' && state !== 'queued' && state !== 'running'
}

/** True if the next run may begin the site again without further checks. */
export function isRepeatable(state: RunState): boolean {
  return hasEnded(state) && state !== 'ambiguous' && state !== 'done'
}

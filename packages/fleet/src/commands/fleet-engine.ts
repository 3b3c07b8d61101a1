import type { EngineClient } from '../engine/engine-client.js'
import type { OpenFleet } from './open-fleet.js'

/** The operations of the engine for commands; no workflow runs in their own process. */
export type FleetEngine = Pick<EngineClient, 'enqueueRollout' | 'resumeRollout' | 'withdraw' | 'close'>

export type OpenEngine = (open: OpenFleet) => Promise<FleetEngine>

/** Opens the engine, which is loaded only now: commands that only show a fleet need none. */
export const openEngine: OpenEngine = async ({ database, connection }) => {
  const { openEngineClient } = await import('../engine/engine-client.js')
  return openEngineClient(database, connection)
}

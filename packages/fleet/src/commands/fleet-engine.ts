import type { EngineClient } from '../engine/engine-client.js'
import type { OpenFleet } from './open-fleet.js'

/** What commands ask of the engine; nothing runs in their own process. */
export type FleetEngine = Pick<EngineClient, 'enqueueRollout' | 'resumeRollout' | 'withdraw' | 'close'>

export type OpenEngine = (open: OpenFleet) => Promise<FleetEngine>

/** Opens the real one, which is loaded only now: what shows a fleet needs none. */
export const openEngine: OpenEngine = async ({ database, connection }) => {
  const { openEngineClient } = await import('../engine/engine-client.js')
  return openEngineClient(database, connection)
}

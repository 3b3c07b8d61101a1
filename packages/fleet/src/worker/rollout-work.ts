import { systemClock } from 'landform/sites'
import type { FleetStore } from '../database/fleet-store.js'
import type { WorkflowHandlers } from '../engine/dbos-engine.js'
import type { EngineClient } from '../engine/engine-client.js'
import type { ReportWorkerEvent } from '../model/worker-event.js'
import { runRollout } from '../workflow/roll-out.js'

interface RolloutWorkParts {
  readonly store: FleetStore
  readonly client: EngineClient
  readonly report: ReportWorkerEvent
  /** Aborted when the worker is to leave. */
  readonly leaving: AbortSignal
}

/** Runs the workflow of a submission. One that was deleted by hand counts as cancelled. */
export function createRolloutWork({
  store,
  client,
  report,
  leaving,
}: RolloutWorkParts): WorkflowHandlers['rollout'] {
  return async (id, steps) => {
    const beginWave = async (wave: number) => {
      let begun = await store.beginWave(id, wave, client.enqueueRun)
      while (begun.length > 0) begun = await store.beginWave(id, wave, client.enqueueRun)
    }
    await runRollout({
      steps,
      clock: systemClock,
      leaving,
      rollout: async () => (await store.rollout(id)) ?? deletedRollout,
      beginWave,
      async states(wave) {
        // Starts runs that waited for other runs of their sites.
        await beginWave(wave)
        return store.waveStates(id, wave)
      },
      async set(change) {
        await store.setRollout(id, change)
        report({ type: 'rollout-changed', rollout: id, ...change })
      },
    })
  }
}

const deletedRollout = { wave: 1, waves: 0, keepsGoing: false, state: 'cancelled' } as const

import { systemClock } from '../../../../src/library/system-clock.js'
import type { FleetStore } from '../database/fleet-store.js'
import type { Work } from '../engine/dbos-engine.js'
import type { EngineClient } from '../engine/engine-client.js'
import type { Tell } from '../model/worker-event.js'
import { rollOut } from '../workflow/roll-out.js'

interface Means {
  readonly store: FleetStore
  readonly client: EngineClient
  readonly tell: Tell
  /** Aborted when the worker is to leave. */
  readonly leaving: AbortSignal
}

/** Runs the workflow of a submission. One that was deleted by hand counts as cancelled. */
export function rolloutWork({ store, client, tell: report, leaving }: Means): Work['rollout'] {
  return async (id, steps) => {
    const beginWave = async (wave: number) => {
      let begun = await store.beginWave(id, wave, client.enqueueRun)
      while (begun.length > 0) begun = await store.beginWave(id, wave, client.enqueueRun)
    }
    await rollOut({
      steps,
      clock: systemClock,
      leaving,
      rollout: async () => (await store.rollout(id)) ?? none,
      beginWave,
      async counts(wave) {
        // Starts runs that waited for other runs of their sites.
        await beginWave(wave)
        return store.waveCounts(id, wave)
      },
      async set(change) {
        await store.setRollout(id, change)
        report({ type: 'rollout-changed', rollout: id, ...change })
      },
    })
  }
}

const none = { wave: 1, waves: 0, keepsGoing: false, state: 'cancelled' } as const

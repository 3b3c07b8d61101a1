import type { Clock } from 'landform'
import type { RunState } from 'landform/sites'
import type { Rollout } from '../model/run.js'
import { decideAfterWave } from '../model/submission.js'
import type { RunPorts, WorkflowSteps } from './run-ports.js'

/** The ports of the workflow of a submission. */
export interface RolloutPorts extends Pick<RunPorts, 'leaving'> {
  readonly steps: WorkflowSteps
  readonly clock: Clock
  rollout(): Promise<Pick<Rollout, 'wave' | 'waves' | 'keepsGoing' | 'state'>>
  /** Queues the waiting runs of a wave in the engine. Idempotent. */
  beginWave(wave: number): Promise<void>
  /** Returns the states that the runs of a wave are in. */
  states(wave: number): Promise<readonly RunState[]>
  set(change: Pick<Rollout, 'wave' | 'state'>): Promise<void>
}

/** Time between two polls of a wave. A wave lasts for hours; a person watching should see progress. */
const pollMs = 3000
/** Maximum duration of a step, because another worker may have to repeat it. */
const maxStepMs = 5 * 60_000

/**
 * Starts the sites of a submission wave by wave, from the current one. After a wave that did not succeed the rest keeps
 * waiting, unless the rollout is set to keep going.
 */
export async function runRollout(ports: RolloutPorts): Promise<Rollout['state']> {
  const { steps } = ports
  const { wave: first, waves, keepsGoing } = await steps.run('begin', () => ports.rollout())
  for (let wave = first; wave <= waves; wave += 1) {
    await steps.run(`wave ${wave}`, () => startWave(wave, ports))
    let status: WaveStatus = 'open'
    for (let poll = 1; status === 'open'; poll += 1)
      status = await steps.run(`watch ${wave}.${poll}`, () => watchWave(wave, keepsGoing, ports))
    if (status === 'cancelled') return 'cancelled'
    if (status === 'goes-on') continue
    const state = wave < waves ? 'stopped' : 'done'
    await ports.set({ wave, state })
    return state
  }
  await ports.set({ wave: waves, state: 'done' })
  return 'done'
}

type WaveStatus = ReturnType<typeof decideAfterWave> | 'cancelled'

async function startWave(wave: number, ports: RolloutPorts): Promise<null> {
  const { state } = await ports.rollout()
  if (state === 'cancelled') return null
  await ports.set({ wave, state: 'running' })
  await ports.beginWave(wave)
  return null
}

/** Polls a wave until it has ended, or for the maximum duration of a step. */
async function watchWave(wave: number, keepsGoing: boolean, ports: RolloutPorts): Promise<WaveStatus> {
  const { clock, leaving } = ports
  const untilMs = clock.monotonicMs() + maxStepMs
  for (;;) {
    const { state } = await ports.rollout()
    if (state === 'cancelled') return 'cancelled'
    const status = decideAfterWave(await ports.states(wave), keepsGoing)
    if (status !== 'open' || leaving.aborted || clock.monotonicMs() >= untilMs) return status
    await clock.sleep(pollMs, leaving)
  }
}

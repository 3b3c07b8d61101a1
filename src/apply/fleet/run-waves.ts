import type { RunState } from '../../plan/run-state.js'
import { type Pool, runInPool } from './in-pool.js'
import { decideAfterWave } from './waves.js'

/** A run over waves of sites. */
export interface WaveRun<T, R> extends Pool {
  readonly waves: readonly (readonly T[])[]
  /** Go on with the next wave whatever became of one. */
  readonly keepGoing: boolean
  /** Called before a wave begins, with its number from 1. */
  begins(wave: number): void
  /** Returns the state that a result leaves a site in. */
  stateOf(result: R): RunState
  work(item: T, wave: number): Promise<R>
}

/**
 * Works on one wave after the other. After a wave in which something did not end well no further one begins; within a
 * wave nothing stops the others. What was never begun has no result.
 */
export async function runWaves<T, R>(run: WaveRun<T, R>): Promise<readonly (readonly (R | undefined)[])[]> {
  const { waves, keepGoing } = run
  const results: (readonly (R | undefined)[])[] = []
  let stopped = false
  for (const [at, wave] of waves.entries()) {
    if (stopped || !run.goesOn()) {
      results.push(wave.map(() => undefined))
      continue
    }
    run.begins(at + 1)
    const ended = await runInPool(wave, run, item => run.work(item, at + 1))
    const states = ended.map(result => (result === undefined ? 'waiting' : run.stateOf(result)))
    stopped = decideAfterWave(states, keepGoing) !== 'goes-on'
    results.push(ended)
  }
  return results
}

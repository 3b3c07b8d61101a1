import type { Clock } from '../../../../src/apply/clock.js'
import type { Rollout } from '../model/run.js'
import { afterWave, type WaveCounts } from './after-wave.js'
import type { Steps, Stops } from './steps.js'

/** What the workflow of a submission reaches outside itself. */
export interface RolloutPorts extends Pick<Stops, 'leaving'> {
  readonly steps: Steps
  readonly clock: Clock
  rollout(): Promise<Pick<Rollout, 'wave' | 'waves' | 'keepsGoing' | 'state'>>
  /** Gives the runs of a wave that wait to the engine. Doing it twice is the same as doing it once. */
  beginWave(wave: number): Promise<void>
  /** How the newest run of each site of a wave stands. */
  counts(wave: number): Promise<WaveCounts>
  set(change: Pick<Rollout, 'wave' | 'state'>): Promise<void>
}

/** A wave lasts for hours, and the next one is in no haste; but a person who looks is to see it go on. */
const betweenMs = 3000
/** As long as a step may take that another worker may have to do again. */
const longestMs = 5 * 60_000

/**
 * Begins the sites of a submission wave after wave, from the one it stands at. After a wave in which something did not end
 * well the rest is left waiting, unless it was said to keep going.
 */
export async function rollOut(ports: RolloutPorts): Promise<Rollout['state']> {
  const { steps } = ports
  const { wave: first, waves, keepsGoing } = await steps.run('begin', () => ports.rollout())
  for (let wave = first; wave <= waves; wave += 1) {
    await steps.run(`wave ${wave}`, () => begun(wave, ports))
    let verdict: WaveVerdict = 'open'
    for (let look = 1; verdict === 'open'; look += 1)
      verdict = await steps.run(`watch ${wave}.${look}`, () => watched(wave, keepsGoing, ports))
    if (verdict === 'cancelled') return 'cancelled'
    if (verdict === 'goes-on') continue
    const state = wave < waves ? 'stopped' : 'done'
    await ports.set({ wave, state })
    return state
  }
  await ports.set({ wave: waves, state: 'done' })
  return 'done'
}

type WaveVerdict = ReturnType<typeof afterWave> | 'cancelled'

async function begun(wave: number, ports: RolloutPorts): Promise<null> {
  const { state } = await ports.rollout()
  if (state === 'cancelled') return null
  await ports.set({ wave, state: 'running' })
  await ports.beginWave(wave)
  return null
}

/** Looks at a wave until it has ended, or for as long as a step may take. */
async function watched(wave: number, keepsGoing: boolean, ports: RolloutPorts): Promise<WaveVerdict> {
  const { clock, leaving } = ports
  const untilMs = clock.monotonicMs() + longestMs
  for (;;) {
    const { state } = await ports.rollout()
    if (state === 'cancelled') return 'cancelled'
    const verdict = afterWave(await ports.counts(wave), keepsGoing)
    if (verdict !== 'open' || leaving.aborted || clock.monotonicMs() >= untilMs) return verdict
    await clock.sleep(betweenMs, leaving)
  }
}

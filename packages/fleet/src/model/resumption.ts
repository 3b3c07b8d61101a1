import { isPending, type Submission } from '../../../../src/plan/submission.js'
import { hasEnded, type Run, type RunState } from './run.js'

/**
 * What becomes of a site that a person resumes: it begins `again`, or `looks` for what became of a request that is on
 * record, which sends none; or nothing, for it goes on, is done, or another request takes the consent of a person.
 */
export type Resumption = 'again' | 'looks' | 'goes-on' | 'done' | 'rejected'

/** The ends after which nothing has to be known to begin again. */
export const repeatable: readonly RunState[] = ['failed', 'refused', 'unfinished', 'cancelled']

/** What becomes of a site, by its newest run and by what is kept of its request. */
export function resumptionOf({ state }: Pick<Run, 'state'>, submission: Submission | undefined): Resumption {
  if (!hasEnded(state)) return 'goes-on'
  if (state === 'done') return 'done'
  if (repeatable.includes(state) || submission === undefined) return 'again'
  if (submission.state === 'rejected') return 'rejected'
  return isPending(submission) ? 'looks' : 'again'
}

/** Runs in the order of the waves that they had; the first of these is 1. */
export function inWavesAnew<R extends Pick<Run, 'wave'>>(runs: readonly R[]): readonly R[] {
  const waves = [...new Set(runs.map(({ wave }) => wave))].toSorted((a, b) => a - b)
  return runs.map(run => ({ ...run, wave: waves.indexOf(run.wave) + 1 }))
}

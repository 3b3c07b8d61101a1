import { isPending, type Submission } from '../../../../src/plan/submission.js'
import { hasEnded, type Run, type RunState } from './run.js'

/**
 * What becomes of a site that a person resumes: it begins `again`, or `looks` for what became of a request that is on
 * record, which sends none; or nothing, for it goes on, is done, is `left` as it is, or another request takes the consent of a person.
 */
export type Resumption = 'again' | 'looks' | 'goes-on' | 'done' | 'left' | 'rejected'

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

/** What becomes of the sites of a stopped rollout, and with which wave it goes on. */
export interface Continuation {
  readonly sites: readonly { readonly run: Run; readonly is: 'again' | 'left' }[]
  readonly wave: number
  /** Those of the wave that stopped it, if none of that begins again: the rollout goes on without them. */
  readonly without: readonly Run[]
}

/**
 * How a stopped rollout goes on: with the wave that stopped it where sites of that begin again, else with the next. Of the waves
 * before a person has decided already. What is `left` keeps its end, and the rollout goes on without it.
 */
export function continuationOf(
  runs: readonly Run[],
  { wave, isSkipping }: { readonly wave: number; readonly isSkipping: boolean },
): Continuation {
  const ended = runs.filter(run => run.wave >= wave && hasEnded(run.state) && run.state !== 'done')
  const sites = ended.map(run => {
    const isAgain = !isSkipping && repeatable.includes(run.state)
    return { run, is: isAgain ? 'again' : 'left' } as const
  })
  const stoppers = sites.filter(({ run }) => run.wave === wave)
  return stoppers.some(({ is }) => is === 'again')
    ? { sites, wave, without: [] }
    : { sites, wave: wave + 1, without: stoppers.map(({ run }) => run) }
}

/** Runs in the order of the waves that they had; the first of these is 1. */
export function inWavesAnew<R extends Pick<Run, 'wave'>>(runs: readonly R[]): readonly R[] {
  const waves = [...new Set(runs.map(({ wave }) => wave))].toSorted((a, b) => a - b)
  return runs.map(run => ({ ...run, wave: waves.indexOf(run.wave) + 1 }))
}

import { hasEnded, isRepeatable } from 'landform/sites'
import { isPending, type Submission } from 'landform/state'
import type { Run } from './run.js'

/**
 * The effect of resuming a site: it starts `again`; `watch` waits for the result of a recorded request without sending
 * one; it `goes-on` or is `done` already; it is `left` as it is; or it is `rejected`, because another request needs the
 * consent of a person.
 */
export type Resumption = 'again' | 'watch' | 'goes-on' | 'done' | 'left' | 'rejected'

/** Decides the effect of resuming a site from its newest run and its recorded submission intent. */
export function decideResumption(
  { state }: Pick<Run, 'state'>,
  submission: Submission | undefined,
): Resumption {
  if (!hasEnded(state)) return 'goes-on'
  if (state === 'done') return 'done'
  if (isRepeatable(state) || submission === undefined) return 'again'
  if (submission.state === 'rejected') return 'rejected'
  return isPending(submission) ? 'watch' : 'again'
}

/** The next steps of a stopped rollout: which of its sites start again, and the wave to continue with. */
export interface Continuation {
  readonly sites: readonly { readonly run: Run; readonly is: 'again' | 'left' }[]
  readonly wave: number
  /** The sites of the wave that stopped the rollout, if none of them starts again: the rollout continues without them. */
  readonly without: readonly Run[]
}

/**
 * Decides how a stopped rollout continues: with the wave that stopped it if sites of that wave start again, else with the
 * next one. Earlier waves were decided before. A site that is `left` keeps its result.
 */
export function planContinuation(
  runs: readonly Run[],
  { wave, isSkipping }: { readonly wave: number; readonly isSkipping: boolean },
): Continuation {
  const ended = runs.filter(run => run.wave >= wave && hasEnded(run.state) && run.state !== 'done')
  const sites = ended.map(run => {
    const isAgain = !isSkipping && isRepeatable(run.state)
    return { run, is: isAgain ? 'again' : 'left' } as const
  })
  const stoppers = sites.filter(({ run }) => run.wave === wave)
  return stoppers.some(({ is }) => is === 'again')
    ? { sites, wave, without: [] }
    : { sites, wave: wave + 1, without: stoppers.map(({ run }) => run) }
}

/** Renumbers the waves of runs from 1, in the same order. */
export function renumberWaves<R extends Pick<Run, 'wave'>>(runs: readonly R[]): readonly R[] {
  const waves = [...new Set(runs.map(({ wave }) => wave))].toSorted((a, b) => a - b)
  return runs.map(run => ({ ...run, wave: waves.indexOf(run.wave) + 1 }))
}

import { type RunState, runStates } from '../../plan/run-state.js'
import { formatNumber } from '../plan/plan-words.js'

/** A site with its state; a site with several runs counts once. */
interface SiteInState {
  readonly site: string
  readonly state: RunState
}

/** Counts sites by state, those that need attention first: `4 sites: 1 failed, 3 done`. */
export function describeSites(runs: readonly SiteInState[]): string {
  const counts = runStates.flatMap(state => {
    const count = runs.filter(run => run.state === state).length
    return count === 0 ? [] : [`${count} ${state}`]
  })
  const sites = formatNumber(new Set(runs.map(({ site }) => site)).size, 'site')
  return counts.length === 0 ? sites : `${sites}: ${counts.join(', ')}`
}

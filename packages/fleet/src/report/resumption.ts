import { textTable } from '../../../../src/report/fleet/text-table.js'
import type { Paint } from '../../../../src/report/paint.js'
import { several } from '../../../../src/report/plan/plan-words.js'
import type { Resumption } from '../model/resumption.js'
import type { Rollout, Run } from '../model/run.js'

/** A site that a person wants to resume. */
export interface ResumedSite {
  readonly run: Run
  readonly is: Resumption
}

/** What would be resumed. */
export interface ToResume {
  readonly sites: readonly ResumedSite[]
  /** A rollout that was stopped and would go on, with how many sites wait for it. */
  readonly stopped?: Rollout & { readonly waiting: number }
}

/** Which sites would begin again, and what a stopped rollout would do. */
export function formatToResume({ sites, stopped }: ToResume, paint: Paint): string {
  const [head = '', ...rows] = textTable(
    ['site', 'state', 'address', 'resumption'],
    sites.map(({ run, is }) => [run.name, run.state, run.site, words[is]]),
  )
  const table = sites.length === 0 ? [] : [paint('dim', head), ...rows, '']
  return [...table, ...(stopped === undefined ? [] : [`${describeGoing(sites, stopped)}.`]), ''].join('\n')
}

function describeGoing(
  sites: ToResume['sites'],
  { id, wave, waves, waiting }: ToResume['stopped'] & {},
): string {
  const rest = `${several(waiting, 'site')} that ${waiting === 1 ? 'waits' : 'wait'}`
  if (sites.length > 0) return `Rollout ${id} goes on to ${rest}, once these have ended well`
  return `Rollout ${id} goes on with wave ${wave + 1} of ${waves} and ${rest}, whatever became of wave ${wave}`
}

const words = {
  again: 'begins again',
  looks: 'looks for what became of configure, and sends none',
  'goes-on': 'goes on already',
  done: 'is done',
  rejected: 'takes the consent of a person',
} as const satisfies Record<Resumption, string>

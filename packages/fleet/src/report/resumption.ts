import { formatNumber, formatTextTable, type Paint } from 'landform/report'
import type { Resumption } from '../model/resumption.js'
import type { Rollout, Run } from '../model/run.js'

/** A site to resume, with the effect. */
export interface ResumedSite {
  readonly run: Run
  readonly is: Resumption
}

/** The sites and the rollout of a resume command. */
export interface ResumePlan {
  readonly sites: readonly ResumedSite[]
  /** A stopped rollout that would continue, with its next wave, and the number of its waiting sites. */
  readonly stopped?: Rollout & { readonly goesOnWith: number; readonly waiting: number }
}

/** Formats the sites that would start again, and the next steps of a stopped rollout. */
export function formatResumePlan({ sites, stopped }: ResumePlan, paint: Paint): string {
  const rows = sites.map(({ run, is }) => [run.name, run.state, run.site, effectText[is]])
  const lines = formatTextTable(['site', 'state', 'address', 'resumption'], rows, paint)
  const table = sites.length === 0 ? [] : [...lines, '']
  return [...table, ...(stopped === undefined ? [] : [`${describeContinuation(stopped)}.`]), ''].join('\n')
}

function describeContinuation({ id, wave, waves, goesOnWith, waiting }: ResumePlan['stopped'] & {}): string {
  const rest = `${formatNumber(waiting, 'site')} that ${waiting === 1 ? 'waits' : 'wait'}`
  if (goesOnWith === wave)
    return `Rollout ${id} continues with ${rest}, once all of wave ${wave} have succeeded`
  const next = `Rollout ${id} continues with wave ${goesOnWith} of ${waves} and ${rest}, regardless of the results of wave ${wave}`
  return goesOnWith < waves ? `${next}; it stops again after a wave with a site that did not succeed` : next
}

const effectText = {
  again: 'starts again',
  watch: 'watches for the result of configure; sends no request',
  'goes-on': 'is running already',
  done: 'is done',
  left: 'is left as it is',
  rejected: 'needs consent',
} as const satisfies Record<Resumption, string>

import { formatNumber, formatTextTable, type Paint } from 'landform/report'
import type { PreviousRun, SubmissionEffect } from '../model/submission.js'

/** A site of a submission, stored or planned. */
export interface SubmittedSite {
  readonly site: string
  readonly url: string
  /** The path of the manifest for workers. */
  readonly file: string
  readonly digest: string
  /** Null if nothing is added. */
  readonly wave: number | null
  readonly generation: number
  readonly is: SubmissionEffect
  /** The newest run before the submission. */
  readonly former: PreviousRun | undefined
}

/** A stored submission. */
export interface FleetSubmission {
  /** Null if nothing was added. */
  readonly rollout: string | null
  readonly commit: string | undefined
  readonly sites: readonly SubmittedSite[]
}

/** Formats a planned submission, one site per line. */
export function formatSubmission(sites: readonly SubmittedSite[], paint: Paint): string {
  const rows = sites.map(one => [one.site, String(one.wave ?? '-'), one.url, describeEffect(one)])
  const lines = formatTextTable(['site', 'wave', 'address', 'submission'], rows, paint)
  return [...lines, '', `${describeEffects(sites)}.`, ''].join('\n')
}

/** Describes the result of a submission for people. */
export function describeSubmission({ rollout, sites }: FleetSubmission): string {
  if (rollout === null) return 'Nothing was submitted: every site has the same unfinished run already.'
  const added = sites.filter(({ is }) => is !== 'same').length
  return `Submitted ${formatNumber(added, 'site')} as rollout ${rollout}.`
}

/** Builds the machine format; its schema is `schemas/fleet-submission.schema.json`. */
export function buildSubmissionDocument({ rollout, commit, sites }: FleetSubmission) {
  return {
    formatVersion: 1,
    rollout,
    commit: commit ?? null,
    summary: countEffects(sites),
    sites: sites.map(({ former: _, is, ...site }) => ({ ...site, submission: is })),
  } as const
}

function describeEffect({ is, former, generation }: SubmittedSite): string {
  if (former === undefined) return is
  const run = `generation ${former.generation} (${former.state})`
  if (is === 'same') return `same as generation ${generation} (${former.state})`
  if (is === 'instead') return `in place of ${run}`
  return is === 'behind' ? `behind ${run}` : `new, after ${run}`
}

function countEffects(sites: readonly SubmittedSite[]) {
  const count = (is: SubmissionEffect) => sites.filter(one => one.is === is).length
  const [added, behind, instead, same] = [count('new'), count('behind'), count('instead'), count('same')]
  return { sites: sites.length, new: added, behind, instead, same }
}

function describeEffects(all: readonly SubmittedSite[]): string {
  const { sites, behind, instead, same } = countEffects(all)
  const waves = new Set(all.flatMap(({ wave }) => wave ?? [])).size
  return [
    `${formatNumber(sites, 'site')}${waves > 1 ? ` in ${waves} waves` : ''}`,
    ...(behind > 0 ? [`${behind} behind an unfinished run`] : []),
    ...(instead > 0 ? [`${instead} in place of a run that has not started`] : []),
    ...(same > 0 ? [`${same} submitted already`] : []),
  ].join(', ')
}

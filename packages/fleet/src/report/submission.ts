import { formatNumber, formatTextTable, type Paint } from 'landform/report'
import type { Order } from '../model/run.js'
import type { PreviousRun, SubmissionEffect } from '../model/submission.js'

/** A site of a submission, planned or stored. */
export interface SubmittedSite {
  readonly run: Omit<Order, 'generation' | 'rollout'>
  readonly generation: number
  readonly is: SubmissionEffect
  readonly former: PreviousRun | undefined
}

interface FleetSubmission {
  readonly rollout: string | null
  readonly commit: string | undefined
  readonly sites: readonly SubmittedSite[]
}

/** In a longer list, unchanged sites are only counted. */
const maxUnchanged = 10

/** Formats a planned submission, one site per line. */
export function formatSubmission(sites: readonly SubmittedSite[], paint: Paint): string {
  const shown = sites.filter(({ is }) => is !== 'same' || sites.length <= maxUnchanged)
  const rows = shown.map(one => {
    const { name, wave, site } = one.run
    return [name, one.is === 'same' ? '-' : String(wave), site, describeEffect(one)]
  })
  const columns = ['site', 'wave', 'address', 'submission']
  const lines = rows.length === 0 ? [] : [...formatTextTable(columns, rows, paint), '']
  return [...lines, `${describeEffects(sites)}.`, ''].join('\n')
}

/** Describes the result of a submission for people. */
export function describeSubmission({ rollout, sites }: FleetSubmission): string {
  if (rollout === null) return 'Nothing was submitted: no site changed since its newest run.'
  return `Submitted ${formatNumber(sites.length - countEffects(sites).same, 'site')} as rollout ${rollout}.`
}

/** Builds the machine format; its schema is `schemas/fleet-submission.schema.json`. */
export function buildSubmissionDocument({ rollout, commit, sites }: FleetSubmission) {
  return {
    formatVersion: 1,
    rollout,
    commit: commit ?? null,
    summary: countEffects(sites),
    sites: sites.map(({ run: { name: site, site: url, manifest: file, digest, wave }, generation, is }) => {
      return { site, url, file, digest, wave: is === 'same' ? null : wave, generation, submission: is }
    }),
  } as const
}

function describeEffect({ is, former }: SubmittedSite): string {
  if (former === undefined) return is
  const run = `run ${former.generation} (${former.state})`
  if (is === 'same') return `same as ${run}`
  if (is === 'instead') return `replaces ${run}`
  return is === 'behind' ? `behind ${run}` : `new (run ${former.generation}: ${former.state})`
}

function countEffects(sites: readonly SubmittedSite[]) {
  const counts = { sites: sites.length, new: 0, behind: 0, instead: 0, same: 0 }
  for (const { is } of sites) counts[is] += 1
  return counts
}

function describeEffects(all: readonly SubmittedSite[]): string {
  const { sites, behind, instead, same } = countEffects(all)
  const waves = new Set(all.flatMap(({ is, run }) => (is === 'same' ? [] : run.wave))).size
  return [
    `${formatNumber(sites, 'site')}${waves > 1 ? ` in ${waves} waves` : ''}`,
    ...(behind > 0 ? [`${behind} behind an unfinished run`] : []),
    ...(instead > 0 ? [`${instead} replacing a run that has not started`] : []),
    ...(same > 0 ? [`${same} unchanged`] : []),
  ].join(', ')
}

import type { Liveness, Submission } from '../../plan/submission.js'
import type { Possession } from '../../state/ports.js'
import type { SiteState } from '../../state/site-state.js'

/** Everything that is kept about a site, found to be one whole chain. */
export interface Standing {
  readonly site: string
  /** Where it is kept. */
  readonly where: string
  /** Every version, the oldest first. */
  readonly history: readonly SiteState[]
  /** Who has the site; absent where nobody has. */
  readonly possession?: Possession
}

/** The machine form of it; its schema is `schemas/history.schema.json`. Values of the manifest stay out of it. */
export function standingDocument({ site, where, history, possession }: Standing, describe: Describe) {
  const newest = history.at(-1)
  const { submission, record } = newest ?? {}
  const { organization, policy, plan } = record ?? {}
  return {
    formatVersion: 1,
    site,
    where,
    lineage: newest?.lineage ?? null,
    serial: newest?.serial ?? 0,
    lock: possession === undefined ? null : { ...possession.lock, liveness: possession.liveness },
    submission: submission === undefined ? null : namesOf(submission),
    record: {
      serial: record?.serial ?? 0,
      ...(organization && {
        organization: { appliedAt: organization.appliedAt, manifest: organization.manifest },
      }),
      ...(policy && { policy: { appliedAt: policy.appliedAt } }),
      ...(plan && { plan }),
    },
    history: history.map(version => ({
      serial: version.serial,
      at: version.writtenAt,
      tool: version.tool,
      message: describe(version),
      entry: version.entry,
    })),
  } as const
}

type Describe = (version: SiteState) => string

function namesOf(submission: Submission) {
  const { organization, ...rest } = submission
  return { ...rest, manifest: organization.manifest }
}

/** Whether a process that has a site still runs, in words. */
export const livenessWords = {
  alive: 'it runs',
  dead: 'it is gone; the next run takes the site over by itself',
  elsewhere: 'whether it runs cannot be told from here',
} as const satisfies Record<Liveness, string>

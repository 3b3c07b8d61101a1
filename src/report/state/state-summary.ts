import type { Liveness, Submission } from '../../plan/submission.js'
import type { LockOwner } from '../../state/ports.js'
import type { SiteState } from '../../state/site-state.js'

/** The state that is kept about a site, verified to be one complete chain of versions. */
export interface StateSummary {
  readonly site: string
  /** The state location. */
  readonly where: string
  /** Every version, the oldest first. */
  readonly history: readonly SiteState[]
  /** The lock and the liveness of its owner; absent if the site is not locked. */
  readonly lockOwner?: LockOwner
}

/** The machine form of a state summary; its schema is `schemas/history.schema.json`. It has no values of the manifest. */
export function stateSummaryDocument({ site, where, history, lockOwner }: StateSummary, describe: Describe) {
  const newest = history.at(-1)
  const { submission, record } = newest ?? {}
  const { organization, policy, plan } = record ?? {}
  return {
    formatVersion: 1,
    site,
    where,
    lineage: newest?.lineage ?? null,
    serial: newest?.serial ?? 0,
    lock: lockOwner === undefined ? null : { ...lockOwner.lock, liveness: lockOwner.liveness },
    submission: submission === undefined ? null : withoutValues(submission),
    record: {
      serial: record?.serial ?? 0,
      ...(organization && {
        organization: {
          appliedAt: organization.appliedAt,
          ...(organization.asserted && { asserted: organization.asserted }),
          manifest: organization.manifest,
        },
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

function withoutValues(submission: Submission) {
  const { organization, ...rest } = submission
  return {
    ...rest,
    ...(organization.asserted && { asserted: organization.asserted }),
    manifest: organization.manifest,
  }
}

/** The liveness of the process that owns a lock. */
export const livenessWords = {
  alive: 'it is running',
  dead: 'it has ended; the next run takes over the lock',
  elsewhere: 'it cannot be determined from here whether it is running',
} as const satisfies Record<Liveness, string>

import type { Guard, GuardHolder, GuardReply } from 'landform/state'
import type { Database } from '../database/database.js'
import { DatabaseError } from '../database/database-error.js'
import type { FleetSession } from '../database/session.js'
import { readHolder, type SiteHolder } from '../database/session-rows.js'
import type { RunStateQuery } from './retry-while-unreachable.js'

/** The session that holds the sites of a process. */
export interface SessionLease {
  session(): Promise<FleetSession>
  /** Called when no run of the process holds a site. */
  rest?(): Promise<void>
}

interface GuardParts {
  readonly database: Database
  readonly lease: SessionLease
  readonly runQuery: RunStateQuery
}

/**
 * Guards sites with the session of the process; within the process only one run has a site, even if the session holds it
 * for longer.
 */
export function createGuard({ database, lease, runQuery }: GuardParts): Guard {
  const running = new Set<string>()
  const leave = async (site: string) => {
    running.delete(site)
    if (running.size === 0) await lease.rest?.()
  }
  const take = async (site: string, purpose: string): Promise<GuardReply> => {
    const taken = await (await lease.session()).acquire(site, purpose)
    if (taken.kind === 'locked') return reportLocked(taken.by)
    const release = async () => {
      await taken.release()
      await leave(site)
    }
    return { kind: 'held', release }
  }
  return {
    take: (site, purpose) =>
      runQuery('unwritable', async () => {
        if (running.has(site)) return reportLocked(await readHolder(database, site))
        running.add(site)
        let guarded: GuardReply | undefined
        try {
          guarded = await take(site, purpose)
          return guarded
        } finally {
          if (guarded?.kind !== 'held') await leave(site)
        }
      }),
    holder: site =>
      runQuery('unreadable', async () => {
        const by = await readHolder(database, site)
        return by && toGuardHolder(by)
      }),
  }
}

function reportLocked(by: SiteHolder | undefined): GuardReply {
  if (by === undefined) throw new DatabaseError('another run of this process takes it', 'LANDFORM_RACE')
  return { kind: 'locked', by: toGuardHolder(by) }
}

function toGuardHolder({ session, ...rest }: SiteHolder): GuardHolder {
  return { nonce: session, ...rest }
}

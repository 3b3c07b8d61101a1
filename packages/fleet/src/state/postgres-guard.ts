import type { Guard, Guarded, GuardHolder } from '../../../../src/state/series.js'
import type { Database } from '../database/database.js'
import { DatabaseError } from '../database/database-error.js'
import type { Session } from '../database/session.js'
import { holderOf, type SiteHolder } from '../database/session-rows.js'
import type { Asked } from './patiently.js'

/** The session that holds the sites of a process. */
export interface Lease {
  session(): Promise<Session>
  /** Called when no run of the process holds a site. */
  rest?(): Promise<void>
}

interface Ways {
  readonly database: Database
  readonly lease: Lease
  readonly asked: Asked
}

/**
 * Guards sites with the session of the process; within the process only one run has a site, even if the session holds it
 * for longer.
 */
export function postgresGuard({ database, lease, asked: runQuery }: Ways): Guard {
  const running = new Set<string>()
  const leave = async (site: string) => {
    running.delete(site)
    if (running.size === 0) await lease.rest?.()
  }
  const take = async (site: string, purpose: string): Promise<Guarded> => {
    const taken = await (await lease.session()).take(site, purpose)
    if (taken.kind === 'locked') return locked(taken.by)
    const release = async () => {
      await taken.release()
      await leave(site)
    }
    return { kind: 'held', release }
  }
  return {
    take: (site, purpose) =>
      runQuery('unwritable', async () => {
        if (running.has(site)) return locked(await holderOf(database, site))
        running.add(site)
        let guarded: Guarded | undefined
        try {
          guarded = await take(site, purpose)
          return guarded
        } finally {
          if (guarded?.kind !== 'held') await leave(site)
        }
      }),
    holder: site =>
      runQuery('unreadable', async () => {
        const by = await holderOf(database, site)
        return by && nameOf(by)
      }),
  }
}

function locked(by: SiteHolder | undefined): Guarded {
  if (by === undefined) throw new DatabaseError('another run of this process takes it', 'LANDFORM_RACE')
  return { kind: 'locked', by: nameOf(by) }
}

function nameOf({ session, ...rest }: SiteHolder): GuardHolder {
  return { nonce: session, ...rest }
}

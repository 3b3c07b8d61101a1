import type { Overview } from '../model/overview.js'
import type { SiteView } from '../model/site-view.js'

/** The data source of the page. It is read-only, and rejects with a `DatabaseError` only. */
export interface FleetSource {
  /** The address for messages. */
  readonly where: string
  /** Reads all sites, or those that changed after a time of the database. */
  readFleet(changedAfter?: number): Promise<Overview>
  /** Reads one site with one of its runs, by default the newest. */
  readSite(site: string, generation?: number): Promise<SiteView | undefined>
}

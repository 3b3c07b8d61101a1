import type { Overview } from '../model/overview.js'
import type { SiteView } from '../model/site-view.js'

/** Where the page gets what it shows. Nothing in it changes anything; it rejects with a `DatabaseError` only. */
export interface FleetSource {
  /** As a person would name it. */
  readonly where: string
  /** All sites, or those that were written after a time of the database. */
  look(changedAfter?: number): Promise<Overview>
  /** One site with one of its runs, of which the newest is shown unless another is named. */
  site(site: string, generation?: number): Promise<SiteView | undefined>
}

import type { Submission } from 'landform/state'
import type { Database } from '../database/database.js'
import type { FleetStore } from '../database/fleet-store.js'
import { readNewestEvents, readOverview, readRuns } from '../database/overview.js'
import type { Run } from '../model/run.js'
import type { NextCommand } from '../model/site-view.js'
import type { FleetSource } from './fleet-source.js'
import { createStateReader, type ReadableState } from './site-state-view.js'

export interface SourceParts {
  readonly database: Database
  readonly store: FleetStore
  /** Opens the state of a site. */
  openState(site: string): ReadableState
  /** Returns the next commands for a run, given its submission intent. */
  next(run: Run, submission: Submission | undefined): readonly NextCommand[]
}

/** Creates the data source of the page from a database. */
export function createDatabaseSource({ database, store, openState, next }: SourceParts): FleetSource {
  const readState = createStateReader(openState)
  return {
    where: database.where,
    readFleet: changedAfter => readOverview(database, changedAfter),
    async readSite(site, generation) {
      const runs = await readRuns(database, site)
      const wanted = generation ?? runs[0]?.generation
      const run = wanted === undefined ? undefined : await store.run({ site, generation: wanted })
      if (run === undefined) return undefined
      const events = await readNewestEvents(database, run)
      const { receipts, submission } = await readState(site)
      return { run, runs, events, receipts, next: next(run, submission) }
    },
  }
}

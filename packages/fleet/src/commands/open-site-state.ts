import { type StateStore, stateStore } from 'landform'
import type { Host } from 'landform/cli'
import { statePorts } from 'landform/sites'
import { createStateBackend } from '../state/postgres-backend.js'
import type { OpenFleet } from './open-fleet.js'

/** Opens the state of a site for reading only, so it needs no session to hold the site. */
export function openSiteState(site: string, { database }: OpenFleet, host: Host): StateStore {
  const lease = { session: () => Promise.reject(new Error('a store for reading cannot hold a site')) }
  return stateStore(createStateBackend(database, lease), { url: site }, statePorts(host.clock))
}

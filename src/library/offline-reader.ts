import type { SiteReader } from '../client/site-client.js'
import { assumeObservation } from '../plan/assumed.js'
import { noSettings } from '../plan/observation.js'
import type { StateStore } from '../state/ports.js'
import { selectContent } from '../state/site-state.js'

/** In place of the client that looks, for who may send nothing: what is kept of a site says what it is taken to be. */
export function offlineReader(state: StateStore): SiteReader {
  return {
    async observe() {
      const newest = await state.read()
      // What cannot be read stops the plan where it is read next.
      return { ok: true, value: assumeObservation(selectContent(newest.ok ? newest.value : undefined)) }
    },
    settings: async () => noSettings('not-asked'),
  }
}

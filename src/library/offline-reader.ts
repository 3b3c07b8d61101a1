import type { SiteReader } from '../client/site-client.js'
import { assumeObservation } from '../plan/assumed.js'
import { noSettings } from '../plan/observation.js'
import type { StateStore } from '../state/ports.js'
import { selectContent } from '../state/site-state.js'

/** Replaces the client where nothing may be sent: the kept state of a site determines the assumed observation. */
export function offlineReader(state: StateStore): SiteReader {
  return {
    async observe() {
      const newest = await state.read()
      // State that cannot be read stops the plan at the next read.
      return { ok: true, value: assumeObservation(selectContent(newest.ok ? newest.value : undefined)) }
    },
    settings: async () => noSettings('not-asked'),
  }
}

import type { EmulatedSite } from '../site.js'

/** What the control path may look at: nothing with which anything could be changed. */
export type WatchedSite = Pick<EmulatedSite, 'url' | 'world'>

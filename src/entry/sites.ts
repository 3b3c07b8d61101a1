/** The steps from a manifest to the end of an apply, for programs that run each step themselves. */
export { renameFiles } from '../diagnostics/diagnostic.js'
export { findSimilar } from '../diagnostics/did-you-mean.js'
export { loadSite } from '../library/load-site.js'
export { openSite } from '../library/open-site.js'
export { planOpened } from '../library/plan-site.js'
export { isBelow, readNamed } from '../library/read-files.js'
export { listFilePaths } from '../library/site.js'
export { statePorts, systemClock } from '../library/system-ports.js'
export { computeDigest } from '../manifest/digest.js'
export { normalizeSiteUrl } from '../manifest/site-url.js'
export type { StageRecord } from '../plan/observation.js'
export {
  type EndState,
  hasEnded,
  isRepeatable,
  type RunState,
  runStates,
} from '../plan/run-state.js'

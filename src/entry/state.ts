/** The state of a site, for packages with a state backend: versions, guards, submission intents, and git objects. */
export {
  type Holder,
  isPending,
  mayBeOurs,
} from '../plan/submission.js'
export { type BackendViolation, checkBackend, type OpenPlace } from '../state/check-backend.js'
export {
  findCloneTop,
  type GitOptions,
  gitProgram,
  parseGitFailure,
  quietFetch,
  readLine,
  splitLines,
} from '../state/git-program.js'
export { thisProcess } from '../state/machine.js'
export type { ProgramEnd } from '../state/run-program.js'
export type { Addition, Guard, GuardHolder, GuardReply } from '../state/series.js'
export type { StateFailure, StateReply } from '../state/state-failure.js'

import type { Submission } from '../../src/plan/submission.js'
import type { Lock } from '../../src/state/site-state.js'

/** A submission as it stands after its intent was written, changed as a test needs it. */
export function aSubmission(changes: Partial<Submission> = {}): Submission {
  const at = '2026-03-04T05:06:07.089Z'
  return {
    generation: 1,
    nonce: 'a-request',
    state: 'intent',
    intendedAt: at,
    changedAt: at,
    by: { host: 'runner', pid: 1 },
    deadlineMs: 900_000,
    organization: { appliedAt: at, manifest: `sha256:${'a'.repeat(64)}` },
    ...changes,
  }
}

/** The lock of a run. */
export function aLock(host = 'runner'): Lock {
  const since = '2026-03-04T05:06:07.089Z'
  return { nonce: 'a-lock', fence: 1, holder: { host, pid: 1 }, purpose: 'apply', since }
}

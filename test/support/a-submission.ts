import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadManifest } from '../../src/manifest/load-manifest.js'
import type { Submission } from '../../src/plan/submission.js'
import type { Lock } from '../../src/state/site-state.js'
import { root } from './manifests.js'

const name = 'examples/quickstart.yaml'
const loaded = loadManifest({ name, bytes: readFileSync(join(root, name)) })

/** Returns a submission of the quickstart whose intent is recorded, with the given changes. */
export function aSubmission(changes: Partial<Submission> = {}): Submission {
  if (!loaded.ok) throw new Error(name)
  const at = '2026-03-04T05:06:07.089Z'
  return {
    generation: 1,
    nonce: 'a-request',
    state: 'intent',
    intendedAt: at,
    changedAt: at,
    by: { host: 'runner', pid: 1 },
    deadlineMs: 900_000,
    organization: { appliedAt: at, manifest: `sha256:${'a'.repeat(64)}`, value: loaded.value.organization },
    ...changes,
  }
}

export function aLock(host = 'runner'): Lock {
  const since = '2026-03-04T05:06:07.089Z'
  return { nonce: 'a-lock', fence: 1, holder: { host, pid: 1 }, purpose: 'apply', since }
}

import { tmpdir } from 'node:os'
import { type Host, parseAllowedOrigins } from 'landform/cli'
import { createCommitFolders } from '../manifests/commit-folders.js'
import { createManifestFinder } from '../manifests/open-manifest.js'
import { openRepository } from '../manifests/repository.js'
import type { Order } from '../model/run.js'
import type { OpenedManifest } from '../workflow/run-ports.js'

/** The manifests of a worker, until they are closed. */
export interface WorkerManifests {
  openManifest(order: Order): Promise<OpenedManifest>
  close(): Promise<void>
}

interface ManifestLocation {
  readonly folder: string
  /** Policy files for every manifest. */
  readonly policies: readonly string[]
}

/** Long enough for a large commit from a slow remote. */
const gitTimeoutMs = 120_000

/**
 * Opens manifests in the folder of the worker or, if an order names a commit, in that. They are planned with the
 * environment of the worker, which may restrict the origins of its sites.
 */
export function openWorkerManifests({ folder, policies }: ManifestLocation, host: Host): WorkerManifests {
  const { environment, clock } = host
  const repository = openRepository({ folder, environment, timeoutMs: gitTimeoutMs })
  const commits = createCommitFolders(repository, { below: tmpdir(), now: () => clock.now() })
  const find = createManifestFinder(folder, commits)
  const origins = parseAllowedOrigins([], host)
  const common = { environment, policies, ...(origins.length > 0 && { allowedOrigins: origins }) }
  return {
    async openManifest(order) {
      const found = await find(order)
      return found.ok ? { ok: true, value: { ...found.value, ...common } } : found
    },
    close: () => commits.close(),
  }
}

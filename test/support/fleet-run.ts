import { computeManifestDigest } from '../../packages/fleet/src/model/manifest-digest.js'
import type { Run, RunEnd, RunProgress } from '../../packages/fleet/src/model/run.js'
import type { RunLog, RunNote, RunPorts } from '../../packages/fleet/src/workflow/run-ports.js'
import { openSite, type SiteRequest } from '../../src/library/open-site.js'
import { statePorts } from '../../src/library/system-ports.js'
import { stateStore } from '../../src/state/state-store.js'
import { virtualClock } from './virtual-clock.js'

export class Died extends Error {}

/** Returns ports that stop working after `death` calls, like those of a process that dies. */
export function mortalPorts(ports: RunPorts, death: number): RunPorts & { readonly calls: () => number } {
  let calls = 0
  const mortal =
    <A extends unknown[], R>(call: (...values: A) => Promise<R>) =>
    async (...values: A): Promise<R> => {
      if (calls >= death) throw new Died()
      calls += 1
      return call(...values)
    }
  const { runLog, clock } = ports
  return {
    ...ports,
    calls: () => calls,
    clock: { ...clock, sleep: mortal(clock.sleep) },
    runLog: { progress: mortal(runLog.progress), add: mortal(runLog.add), end: mortal(runLog.end) },
    openManifest: mortal(ports.openManifest),
    readState: mortal(ports.readState),
  }
}

/** A run log in memory. */
export interface DiaryInMemory extends RunLog {
  readonly written: { readonly progress: RunProgress[]; readonly notes: RunNote[]; readonly ends: RunEnd[] }
}

export function diaryInMemory(): DiaryInMemory {
  const written: DiaryInMemory['written'] = { progress: [], notes: [], ends: [] }
  return {
    written,
    async progress(progress) {
      written.progress.push(progress)
    },
    async add(notes) {
      written.notes.push(...notes)
    },
    async end(end) {
      written.ends.push(end)
    },
  }
}

/** Returns the run that applies a request. */
export async function runFor(request: SiteRequest, changes: Partial<Run> = {}): Promise<Run> {
  const opened = await openSite(request)
  if (!opened.ok) throw new Error(`no site: ${opened.error.kind}`)
  const { value: site } = opened
  return {
    site: site.url,
    generation: 1,
    rollout: 'a-rollout',
    name: site.manifest.name,
    manifest: 'site.yaml',
    digest: computeManifestDigest(site),
    wave: 1,
    priority: 100,
    timeoutMs: 3 * 3_600_000,
    stages: [],
    warnings: [],
    retries: 0,
    state: 'running',
    isCancelRequested: false,
    submittedAt: 0,
    changedAt: 0,
    ...changes,
  }
}

/** Returns the ports of a run: everything in memory, except the site. */
export function runPorts(request: SiteRequest, changes: Partial<RunPorts> = {}): RunPorts {
  const { clock = virtualClock() } = request.ports ?? {}
  const { state } = request
  const never = new AbortController().signal
  return {
    clock,
    inTurn: (_, work) => work(),
    report: () => undefined,
    runLog: diaryInMemory(),
    pollMs: 15_000,
    openManifest: async () => ({ ok: true, value: request }),
    async readState() {
      if (state === undefined) throw new Error('a run keeps state')
      return stateStore(state, { url: (await runFor(request)).site }, statePorts(clock)).read()
    },
    cancelled: never,
    leaving: never,
    ...changes,
  }
}

import { computeManifestDigest } from '../../packages/fleet/src/model/manifest-digest.js'
import type { Order, RunEnd, RunProgress } from '../../packages/fleet/src/model/run.js'
import type {
  RunLog,
  RunNote,
  RunPorts,
  SiteHold,
  WorkflowSteps,
} from '../../packages/fleet/src/workflow/run-ports.js'
import type { Clock } from '../../src/apply/clock.js'
import { openSite, type SiteRequest } from '../../src/library/open-site.js'
import { virtualClock } from './virtual-clock.js'

/** Where the process of a worker dies: at which step, and whether its answer was kept by then. */
export interface Death {
  readonly step: number
  readonly when: 'unkept' | 'kept'
}

export class Died extends Error {}

/** An engine in memory: what it kept outlives every worker. */
export function engineInMemory(clock: Clock & { pass(milliseconds: number): void }) {
  const kept: { readonly name: string; readonly answer: string }[] = []
  return {
    kept,
    /** The steps of one worker, which dies where it is told to. */
    steps(death?: Death): WorkflowSteps {
      let number = 0
      return {
        async run(name, step) {
          const at = number
          number += 1
          const before = kept[at]
          if (before !== undefined) {
            if (before.name !== name) throw new Error(`step ${at} was ${before.name} and is ${name} now`)
            return JSON.parse(before.answer)
          }
          const answer = JSON.stringify(await step())
          if (death?.step === at && death.when === 'unkept') throw new Died()
          kept.push({ name, answer })
          if (death?.step === at) throw new Died()
          return JSON.parse(answer)
        },
        async sleep(milliseconds, signal) {
          if (!signal.aborted) clock.pass(milliseconds)
        },
      }
    },
  }
}

/** What a diary in memory was told. */
export interface DiaryInMemory extends RunLog {
  readonly written: { readonly progress: RunProgress[]; readonly notes: RunNote[]; readonly ends: RunEnd[] }
}

export function diaryInMemory(changes: Partial<RunLog> = {}): DiaryInMemory {
  const written: DiaryInMemory['written'] = { progress: [], notes: [], ends: [] }
  return {
    written,
    start: async () => 'started',
    async readLast() {
      const { stages = [], warnings = [] } = Object.assign({}, ...written.progress) as RunProgress
      return { stages, warnings }
    },
    async progress(progress) {
      written.progress.push(progress)
    },
    async add(notes) {
      written.notes.push(...notes)
    },
    async end(end) {
      written.ends.push(end)
    },
    ...changes,
  }
}

/** The order to apply what a request says. */
export async function orderFor(request: SiteRequest, changes: Partial<Order> = {}): Promise<Order> {
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
    ...changes,
  }
}

/** The ports of a run at a site, in memory but for the site. */
export function runPorts(
  request: SiteRequest,
  changes: Partial<RunPorts> & Pick<RunPorts, 'steps'>,
): RunPorts {
  const never = new AbortController().signal
  return {
    clock: request.ports?.clock ?? virtualClock(),
    random: () => 0.5,
    runLog: diaryInMemory(),
    pollMs: 15_000,
    hold: async (): Promise<SiteHold> => ({ kind: 'held', release: async () => undefined }),
    openManifest: async () => ({ ok: true, value: request }),
    cancelled: never,
    leaving: never,
    ...changes,
  }
}

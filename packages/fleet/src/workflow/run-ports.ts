import { type Clock, type Result, type Site, type SiteRequest, type SiteWriter, siteWriter } from 'landform'
import { type ExitCode, exitCodes } from 'landform/cli'
import { openSite, type StageRecord } from 'landform/sites'
import { computeManifestDigest } from '../model/manifest-digest.js'
import type { Order, Phase, RunEnd, RunProgress } from '../model/run.js'
import type { StepOutcome } from './apply-run.js'
import { classifyExitCode, classifyProblem, type RunEnding } from './ends.js'
import type { RunReporter } from './run-reporter.js'

/** An event for people. */
export interface RunNote {
  readonly type: string
  readonly message: string
}

/** The log of a run, which other processes read. */
export interface RunLog {
  /** Records that this worker has the run; returns `cancelled` if its cancellation was requested. */
  start(): Promise<'started' | 'cancelled'>
  /** Reads the last written state, possibly of another worker. */
  readLast(): Promise<{ readonly stages: readonly StageRecord[]; readonly warnings: readonly string[] }>
  progress(progress: RunProgress): Promise<void>
  add(notes: readonly RunNote[]): Promise<void>
  /** Records the result. Idempotent. */
  end(end: RunEnd): Promise<void>
}

/** A site held by this process for a whole run, or the reason that it is not. */
export type SiteHold =
  | { readonly kind: 'held'; release(): Promise<void> }
  /** Another run holds it; `by` names that run. */
  | { readonly kind: 'locked'; readonly by: string }

/** A manifest of the worker with the options for planning; or a failure with an exit code. */
export type OpenedManifest = Result<SiteRequest, { readonly message: string; readonly exitCode: number }>

/** An event of a run that is counted. */
export type RunReport =
  | { readonly type: 'phase-ended'; readonly phase: Phase; readonly durationMs: number }
  | { readonly type: 'run-retried'; readonly why: string; readonly pauseMs: number }

/** Does work when its turn comes. */
export function waitForTurn<T>(
  { inTurn }: Pick<RunPorts, 'inTurn'>,
  what: 'open' | 'send',
  work: () => Promise<T>,
): Promise<T> {
  return inTurn === undefined ? work() : inTurn(what, work)
}

/** The ports of the workflow of a site. */
export interface RunPorts extends StopSignals {
  readonly steps: WorkflowSteps
  readonly clock: Clock
  /** Returns a number from 0 to 1, to spread polls. */
  random(): number
  readonly runLog: RunLog
  /** Time between two polls of a site. Default: as in `landform apply`. */
  readonly pollMs?: number
  /** Receives the counted events. */
  report?(report: RunReport): void
  /** Does work in its turn: few sites are opened at once, and `configure` is sent to few. Default: at once. */
  inTurn?<T>(what: 'open' | 'send', work: () => Promise<T>): Promise<T>
  /** Acquires the site for this process, so that no other run starts anything there. */
  hold(): Promise<SiteHold>
  openManifest(order: Order): Promise<OpenedManifest>
}

/** The steps of a workflow, which an engine continues after its process died. The workflow acts only through these. */
export interface WorkflowSteps {
  /**
   * Runs a step and stores its result, which is a JSON value. A replay after a crash returns the stored result; a step
   * whose process died before that runs again. A worker that leaves starts no step: then this never settles.
   */
  run<T>(name: string, step: () => Promise<T>): Promise<T>
  /** Sleeps, at most until the signal; after a crash only for the remaining time. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Signals that stop waiting; a request in flight is completed first. */
export interface StopSignals {
  /** A person cancelled the run. */
  readonly cancelled: AbortSignal
  /** The worker leaves: the current step ends early, and another worker continues the workflow. */
  readonly leaving: AbortSignal
}

/** The context of a step of a run. */
export interface StepContext
  extends Pick<RunPorts, 'clock' | 'random' | 'openManifest' | 'pollMs' | 'inTurn'> {
  readonly runLog: RunLog
  readonly order: Order
  readonly reporter: RunReporter
  /** Stops waiting. */
  readonly stop: AbortSignal
}

/** Opens the site for one step, and always closes it. */
export async function withSite(
  step: StepContext,
  work: (open: RunSite) => Promise<StepOutcome>,
): Promise<StepOutcome> {
  const opened = await openRunSite(step.order, step)
  if (!opened.ok) return opened.error
  try {
    return await work(opened.value)
  } finally {
    opened.value.close()
  }
}

/** An open site with its request and client. */
export interface RunSite {
  readonly site: Site
  readonly request: SiteRequest
  /** Reads and writes the site; never exposes its secrets. */
  readonly client: SiteWriter
  close(): void
}

/**
 * Opens the site of a run with the manifest of this worker, after checking that it is the submitted one: another manifest
 * could name another address. Sends nothing.
 */
export async function openRunSite(
  order: Order,
  ports: Pick<RunPorts, 'openManifest' | 'clock' | 'inTurn'>,
): Promise<Result<RunSite, RunEnding>> {
  const reject = (ending: RunEnding) => ({ ok: false, error: ending }) as const
  const found = await ports.openManifest(order)
  if (!found.ok) return reject(classifyExitCode(found.error.exitCode as ExitCode, found.error.message))
  const request = { ...found.value, ports: { ...found.value.ports, clock: ports.clock } }
  const opened = await waitForTurn(ports, 'open', () => openSite(request))
  if (!opened.ok) return reject(classifyProblem(opened.error, order))
  const { value: site } = opened
  const digest = computeManifestDigest(site)
  if (digest !== order.digest)
    return reject(classifyExitCode(exitCodes.refused, describeOtherManifest(digest, order)))
  const { provideToken } = site
  const client = request.ports.client ?? siteWriter(site.url, provideToken, site.route)
  return {
    ok: true,
    value: {
      site: { ...site, provideToken, state: { ...site.state, timings: noEstimate } },
      request: { ...request, ports: { ...request.ports, client, provideToken } },
      client,
      close: () => site.close(),
    },
  }
}

/** A fleet shows no estimated time left, which would need the state of a hundred other sites. */
const noEstimate: Site['state']['timings'] = async () => []

function describeOtherManifest(found: string, { digest, name }: Order): string {
  const short = (text: string) => text.slice(0, 'sha256:'.length + 12)
  return `the manifest of ${name}, its bases or its policies differ from the submitted ones: the worker has ${short(found)}, submitted was ${short(digest)}; give the workers the submitted version, or submit it again`
}

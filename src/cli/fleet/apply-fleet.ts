import { defaultLifetimeMs } from '../../library/make-plan.js'
import type { Plan } from '../../plan/plan.js'
import { type ExitCode, endStateByExitCode, exitCodes, worstExitCode } from '../../report/exit-code.js'
import {
  describeRun,
  type FleetRun,
  fleetDocument,
  formatFleetRun,
  formatFleetRunMarkdown,
  hasWork,
  suggestRerun,
} from '../../report/fleet.js'
import { addSent } from '../../report/sent.js'
import type { JsonPointer } from '../../schema/pointer.js'
import { type Chosen, parseConcurrency } from '../check/expand-files.js'
import type { Host } from '../host.js'
import { openPlanned } from '../plan/planned-session.js'
import { findVeto } from '../site/consent.js'
import type { ApplyArguments, PlannedSession } from '../site/session.js'
import { notify, type StopSignal, stopSignal } from '../terminal/interaction.js'
import { emit, jsonText, paintFor } from '../terminal/output.js'
import { lineFile } from '../terminal/progress.js'
import { type FleetContext, withFleet } from './open-fleet.js'
import { createBoard, type EndedSite, type FleetRunning, performSite } from './perform-site.js'
import { type PlannedMember, planMembers, type ReadyMember, reviewPlans } from './plan-members.js'
import { runInPool } from './site-host.js'

interface Asked {
  readonly chosen: Chosen & { readonly kind: 'many' }
  readonly ignored: readonly JsonPointer[]
  readonly waitOptionsFor: FleetRunning['waitOptionsFor']
}

type ApplyContext = FleetContext<PlannedSession, 'text' | 'json' | 'markdown'>

/**
 * Plans for many sites, asks once, and performs the plans, several at once. A failure of one site does not affect
 * another.
 */
export async function applyFleet(argv: ApplyArguments, host: Host, asked: Asked): Promise<ExitCode> {
  const concurrency = parseConcurrency(argv.concurrency)
  const work = async (context: ApplyContext): Promise<ExitCode> => {
    const { members, targets, refuse } = context
    const { color } = argv
    const stop = stopSignal(host)
    try {
      const { signal } = stop
      const options = { ignored: asked.ignored, lifetimeMs: defaultLifetimeMs, signal }
      const plan = (session: PlannedSession) => session.plan(options)
      const findBlocker = (made: Plan, session: PlannedSession) => findVeto(made, session, { argv, host })
      const planned = await planMembers(members, host, {
        concurrency,
        color,
        signal,
        keepOpen: true,
        plan,
        findBlocker,
      })
      if (signal.aborted) return await refuse({ exitCode: stop.exitCode(), message: 'interrupted' })
      const ready = planned.filter(isReady)
      const declined = await reviewPlans({ planned, ready, targets, stop }, argv, host)
      if (declined !== undefined) return await refuse(declined)
      const ended = await performSites(ready, { concurrency, stop, asked }, { argv, host })
      const run = buildRun(planned, ended, stop)
      const written = await emit(host, targets, (format, toFile) => {
        if (format === 'json') return jsonText(fleetDocument(run))
        if (format === 'markdown') return formatFleetRunMarkdown(run)
        return formatFleetRun(run, paintFor('stdout', toFile ? 'never' : color))
      })
      if (run.exitCode !== exitCodes.done) host.stderr.print(`next: ${suggestRerun(run)}\n`)
      if (argv.notify) notify(host, describeRun(run))
      return worstExitCode([run.exitCode, written ? exitCodes.done : exitCodes.state])
    } finally {
      stop.forget()
    }
  }
  return withFleet(argv, host, {
    formats: ['text', 'json', 'markdown'] as const,
    chosen: asked.chosen,
    open: (file, at) => openPlanned({ ...argv, file }, at),
    work,
  })
}

/** A saved plan is noted as used even where it has nothing to do. */
function isReady(one: PlannedMember<PlannedSession>): one is ReadyMember {
  return hasWork(one) || (one.opened?.session().saved !== undefined && one.failure === undefined)
}

interface RunSettings {
  readonly concurrency: number
  readonly stop: StopSignal
  readonly asked: Asked
}

interface Surroundings {
  readonly argv: ApplyArguments
  readonly host: Host
}

/** Performs the plans; returns the results by file. */
async function performSites(
  ready: readonly ReadyMember[],
  { concurrency, stop, asked }: RunSettings,
  { argv, host }: Surroundings,
): Promise<ReadonlyMap<string, EndedSite>> {
  const paint = paintFor('stderr', argv.color)
  const board = createBoard(host, {
    choice: argv.progress,
    paint,
    quiet: argv.quiet,
    all: ready.length,
  })
  const events = argv.events === undefined ? undefined : lineFile(host, argv.events)
  const running = { argv, board, events, stop, waitOptionsFor: asked.waitOptionsFor }
  try {
    const goesOn = () => !stop.signal.aborted
    const ended = await runInPool(ready, { concurrency, goesOn }, one => performSite(one, running))
    return new Map(ready.map((one, at) => [one.file, ended[at] ?? notBegun(one)]))
  } finally {
    board.end()
    events?.end()
  }
}

/** Collects the results of all sites, in the order of the command line. */
function buildRun(
  planned: readonly PlannedMember<PlannedSession>[],
  ended: ReadonlyMap<string, EndedSite>,
  stop: StopSignal,
): FleetRun & { readonly exitCode: ExitCode } {
  const sites = planned.map(one => ended.get(one.file) ?? notPerformed(one))
  const isHalted = sites.some(({ outcome }) => outcome === 'not-begun')
  const codes = sites.flatMap(({ exitCode }) => exitCode ?? [])
  return {
    exitCode: worstExitCode(isHalted ? [...codes, stop.exitCode()] : codes),
    ...(isHalted && { halt: 'interrupted' }),
    sites,
  }
}

function notBegun({ site, file, url }: ReadyMember): EndedSite {
  const message = addSent('not started', 'nothing')
  const known = { site, file, url, message, diagnostics: [] }
  return { ...known, outcome: 'not-begun', state: 'waiting', exitCode: null }
}

function notPerformed({ site, file, url, failure }: PlannedMember<PlannedSession>): EndedSite {
  const known = { site, file, url }
  if (failure === undefined) {
    const message = 'no changes. Every field that can be compared matches'
    const { done: exitCode } = exitCodes
    return { ...known, outcome: 'nothing-to-do', state: 'done', exitCode, message, diagnostics: [] }
  }
  const { exitCode, next, diagnostics = [] } = failure
  const message = addSent(failure.message, 'nothing')
  const state = endStateByExitCode[exitCode]
  return { ...known, outcome: 'not-planned', state, exitCode, message, ...(next && { next }), diagnostics }
}

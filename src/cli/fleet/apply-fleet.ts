import { runWaves } from '../../apply/fleet/run-waves.js'
import { cutWaves } from '../../apply/fleet/waves.js'
import type { JsonPointer } from '../../diagnostics/pointer.js'
import { defaultLifetimeMs } from '../../library/situation.js'
import type { Plan } from '../../plan/plan.js'
import { hasWork } from '../../report/fleet/fleet-plans.js'
import { describeRun, type FleetRun, suggestRerun } from '../../report/fleet/fleet-run.js'
import { fleetDocument, formatFleetRun, formatFleetRunMarkdown } from '../../report/fleet/fleet-text.js'
import { type Chosen, parseConcurrency, parseWavesOption } from '../check/expand-files.js'
import { type ExitCode, endStateByExitCode, exitCodes, UsageError, worstExitCode } from '../exit-code.js'
import type { Host } from '../host.js'
import { openPlanned } from '../plan/planned-session.js'
import { findVeto } from '../site/consent.js'
import type { ApplyArguments } from '../site/perform-session-plan.js'
import type { PlannedSession } from '../site/session.js'
import { notify, type StopSignal, stopSignal } from '../terminal/interaction.js'
import { emit, jsonText, paintFor } from '../terminal/output.js'
import { lineFile } from '../terminal/progress.js'
import { type FleetContext, withFleet } from './open-fleet.js'
import { createBoard, type EndedSite, type FleetRunning, performSite } from './perform-site.js'
import { type PlannedMember, planMembers, type ReadyMember, reviewPlans } from './plan-members.js'

interface FleetApplyArguments extends ApplyArguments {
  readonly concurrency: string | undefined
  readonly waves: string | undefined
  readonly 'keep-going': boolean
  readonly format: readonly string[]
}

interface Asked {
  readonly chosen: Chosen & { readonly kind: 'many' }
  readonly ignored: readonly JsonPointer[]
  readonly waitOptionsFor: FleetRunning['waitOptionsFor']
}

type ApplyContext = FleetContext<PlannedSession, 'text' | 'json' | 'markdown'>

/**
 * Plans for many sites, asks once, and performs the plans wave by wave. Nothing that goes wrong with one site touches
 * another; after a wave in which one did not end well no further wave begins.
 */
export async function applyFleet(argv: FleetApplyArguments, host: Host, asked: Asked): Promise<ExitCode> {
  const concurrency = parseConcurrency(argv.concurrency)
  const reaches = parseWavesOption(argv.waves)
  if (argv.detach && reaches.length > 0)
    throw new UsageError(
      '--detach and --waves exclude each other: the next wave waits for the sites of the one before',
    )
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
      if (signal.aborted)
        return await refuse({ exitCode: stop.exitCode(), message: 'interrupted; nothing was sent' })
      const waves = cutWaves(planned.filter(isReady), reaches)
      const declined = await reviewPlans({ planned, waves, targets, stop }, argv, host)
      if (declined !== undefined) return await refuse(declined)
      const ended = await performWaves(waves, { concurrency, stop, asked }, { argv, host })
      const run = buildRun(planned, waves, { ended, stop })
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
  return (
    hasWork({ ...one, wave: null }) ||
    (one.opened?.session().saved !== undefined && one.failure === undefined)
  )
}

interface WaveSettings {
  readonly concurrency: number
  readonly stop: StopSignal
  readonly asked: Asked
}

interface Surroundings {
  readonly argv: FleetApplyArguments
  readonly host: Host
}

async function performWaves(
  waves: readonly (readonly ReadyMember[])[],
  { concurrency, stop, asked }: WaveSettings,
  { argv, host }: Surroundings,
): Promise<readonly (readonly (EndedSite | undefined)[])[]> {
  const paint = paintFor('stderr', argv.color)
  const board = createBoard(host, {
    choice: argv.progress,
    paint,
    quiet: argv.quiet,
    all: waves.flat().length,
  })
  const events = argv.events === undefined ? undefined : lineFile(host, argv.events)
  const running = { argv, board, events, stop, waitOptionsFor: asked.waitOptionsFor }
  try {
    return await runWaves({
      waves,
      concurrency,
      keepGoing: argv['keep-going'],
      goesOn: () => !stop.signal.aborted,
      begins: wave => {
        if (waves.length > 1 && !argv.quiet && argv.progress !== 'json')
          board.say(`wave ${wave} of ${waves.length}: ${waves[wave - 1]?.length} of ${waves.flat().length}`)
      },
      stateOf: ({ state }: EndedSite) => state,
      work: (member, wave) => performSite(member, wave, running),
    })
  } finally {
    board.end()
    events?.end()
  }
}

interface Ended {
  readonly ended: readonly (readonly (EndedSite | undefined)[])[]
  readonly stop: StopSignal
}

/** Collects the results of all sites, in the order of the command line. */
function buildRun(
  planned: readonly PlannedMember<PlannedSession>[],
  waves: readonly (readonly ReadyMember[])[],
  { ended, stop }: Ended,
): FleetRun & { readonly exitCode: ExitCode } {
  const results = new Map<string, EndedSite>()
  for (const [at, wave] of waves.entries())
    for (const [index, member] of wave.entries())
      results.set(member.file, ended[at]?.[index] ?? notBegun(member, at + 1))
  const sites = planned.map(one => results.get(one.file) ?? notPerformed(one))
  const isHalted = sites.some(({ outcome }) => outcome === 'not-begun')
  const codes = sites.flatMap(({ exitCode }) => exitCode ?? [])
  return {
    exitCode: worstExitCode(isHalted && stop.signal.aborted ? [...codes, stop.exitCode()] : codes),
    ...(isHalted && { halt: stop.signal.aborted ? 'interrupted' : 'stop-rule' }),
    waves: waves.map(({ length }) => length),
    sites,
  }
}

function notBegun({ site, file, url }: ReadyMember, wave: number): EndedSite {
  const message = 'not started; nothing was sent'
  const known = { site, file, url, wave, message, diagnostics: [] }
  return { ...known, outcome: 'not-begun', state: 'waiting', exitCode: null }
}

function notPerformed({ site, file, url, failure }: PlannedMember<PlannedSession>): EndedSite {
  const known = { site, file, url, wave: null }
  if (failure === undefined) {
    const message = 'no changes. Every field that can be compared matches'
    const { done: exitCode } = exitCodes
    return { ...known, outcome: 'nothing-to-do', state: 'done', exitCode, message, diagnostics: [] }
  }
  const { exitCode, message, next, diagnostics = [] } = failure
  const state = endStateByExitCode[exitCode]
  return { ...known, outcome: 'not-planned', state, exitCode, message, ...(next && { next }), diagnostics }
}

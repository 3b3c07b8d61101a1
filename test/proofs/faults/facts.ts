import { isDeepStrictEqual } from 'node:util'
import { computeSiteState } from '../../../src/emulator/service/site-state.js'
import { exampleManifest } from '../../support/manifests.js'
import { type Facts, type RunFacts, type SiteFacts, since } from '../judge/facts.js'
import { listTextsIn, listTextsInGit, readState } from '../judge/state.js'
import type { Cell } from './fault-table.js'
import type { Ran, World } from './world.js'

export type Counters = ReturnType<World['emulator']['world']>['counters']

const { policy } = exampleManifest()
const none = { received: 0, accepted: 0 }
const changing = ['configure', 'update', 'exportSite', 'deleteAll'] as const

/** Collects the facts after a run of a cell; `before` has the counters from before the run. */
export async function factsAfter(
  { by }: Pick<Cell, 'by'>,
  world: World,
  ran: Ran,
  before: Counters | undefined,
): Promise<Facts> {
  const { emulator, clock, state, kept } = world
  const site = emulator.world()
  const { counters } = site
  const { operation, exitCode, report, err: printed } = ran
  const isApply = operation === 'apply' || operation === 'update'
  const command = isApply ? 'apply' : operation
  const kind = isApply || operation === 'plan' || operation === 'status' ? 'configure' : operation
  const of = (name: (typeof changing)[number]) => since(counters[name], before?.[name] ?? none)
  const run: RunFacts = {
    ...{ command, exitCode, outcome: outcomeOf(ran), printed },
    // The counters do not separate the requests of two concurrent runs.
    ...(world.runs === 1 && {
      sent: of(kind),
      changes: changing.reduce((sum, name) => sum + of(name).received, 0),
      report: { exitCode: report?.['exitCode'], sent: sentOf(ran) },
    }),
  }
  if (!isApply) return { run }
  const texts = state.startsWith('git:')
    ? listTextsInGit(state.slice('git:'.length))
    : await listTextsIn(kept)
  return {
    run,
    site: {
      ...counters.configure,
      doubled: typeof by !== 'string' && by.some(fault => fault.includes('duplicate')) ? 1 : 0,
      state: states[computeSiteState(site, clock.now())] ?? 'failed',
      hasPolicy: isDeepStrictEqual(site.upgradeConfig, { podPlacementPolicy: policy }),
    },
    state: readState(texts, { policy }),
  }
}

function sentOf({ report = {} }: Ran): unknown {
  return report['sent'] ?? (report['error'] as { readonly sent?: unknown } | undefined)?.sent
}

/** Returns the outcome as the judge names it: it selects the claim of the exit code. */
function outcomeOf({ report, exitCode }: Ran): string {
  const { outcome, message, sent } = report ?? {}
  if (typeof outcome !== 'string') return exitCode === 5 ? 'no look' : 'refused'
  if (outcome === 'not-recorded' && sent === 'nothing') return 'not-recorded after nothing'
  return outcome === 'not-taken' && /update was not carried out/.test(String(message))
    ? 'not-taken update'
    : outcome
}

const states: Readonly<Record<string, SiteFacts['state']>> = {
  new: 'not-configured',
  not_configured: 'not-configured',
  in_progress: 'in-progress',
  ready: 'ready',
  configured: 'ready',
}

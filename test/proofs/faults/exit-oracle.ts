import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Cell } from '../../../scripts/reference/fault-row.js'
import { computeSiteState } from '../../../src/emulator/service/site-state.js'
import type { ExitCode } from '../../../src/report/exit-code.js'
import { exampleManifest } from '../../support/manifests.js'
import { journalOf, readChain } from '../chain.js'
import { type Truth, violations } from '../oracle.js'
import type { Witness } from './try-cell.js'
import type { Ran, World } from './world.js'

type Counters = ReturnType<World['emulator']['world']>['counters']

const desired = exampleManifest()
/** Codes that say that nothing came to the service. */
const nothingSent: readonly number[] = [6, 64, 65, 66, 69, 78]

/** Compares the exit code of each run of a cell with what is so, by the counters of the service and the state alone. */
export function exitTruth(cell: Cell, found: string[]): Witness {
  let before: Counters | undefined
  return async (world, ran) => {
    const { counters } = world.emulator.world()
    const told = ran.report?.['exitCode']
    if (told !== undefined && told !== ran.exitCode)
      found.push(`the report says ${told}, and the process ends with ${ran.exitCode}`)
    // Two runs at once have their requests in common.
    const received = countReceived(counters) - countReceived(before)
    if (world.runs === 1 && saysNothingWasSent(ran) && received > 0)
      found.push(`${ran.operation} says that nothing was sent, and ${received} requests came`)
    const lies = await liesOf(world, ran, before)
    found.push(...lies.filter(lie => !isOfTheCell(lie, cell)))
    before = counters
  }
}

function saysNothingWasSent({ report = {} }: Ran): boolean {
  const { sent = (report['error'] as { readonly sent?: unknown } | undefined)?.sent } = report
  return sent === 'nothing'
}

function countReceived(counters: Counters | undefined): number {
  if (counters === undefined) return 0
  const { configure, update, exportSite, deleteAll } = counters
  return [configure, update, exportSite, deleteAll].reduce((sum, one) => sum + one.received, 0)
}

/** State that the cell itself damages says nothing of the run, nor does a no of a service that has done what it was asked. */
function isOfTheCell(lie: string, { journal, by }: Cell): boolean {
  const saysNo = typeof by !== 'string' && by.some(fault => fault.startsWith('configure@1=error-after:'))
  return (journal === 'unreadable' && lie.startsWith('I4')) || (saysNo && lie.startsWith('I2: 5'))
}

async function liesOf(world: World, ran: Ran, before: Counters | undefined): Promise<readonly string[]> {
  const { operation, exitCode } = ran
  const { counters } = world.emulator.world()
  const since = (name: keyof Counters, what: 'received' | 'accepted') =>
    counters[name][what] - (before?.[name][what] ?? 0)
  if (operation === 'apply' || operation === 'update') {
    const ended = {
      exitCode: exitCode as ExitCode,
      outcome: outcomeOf(ran),
      received: since('configure', 'received'),
      accepted: since('configure', 'accepted'),
    }
    // Two runs at once have their requests in common, and a balancer that doubles them keeps no promise.
    const isOneRun = world.runs === 1 && counters.configure.received <= 1
    return isOneRun ? violations(await truthOf(world), ended) : []
  }
  if (operation === 'plan' || operation === 'status') {
    const written = (['configure', 'update', 'exportSite', 'deleteAll'] as const).filter(
      name => since(name, 'received') > 0,
    )
    return written.map(name => `${operation} sent ${name}`)
  }
  const received = since(operation, 'received')
  const accepted = since(operation, 'accepted')
  if (exitCode === 0) return accepted > 0 ? [] : [`${operation} ends with 0, and nothing was carried out`]
  if (exitCode === 4) return received > 0 ? [] : [`${operation} ends with 4, and nothing was sent`]
  if (nothingSent.includes(exitCode))
    return received === 0 ? [] : [`${operation} ends with ${exitCode} after a request`]
  return accepted === 0 ? [] : [`${operation} ends with ${exitCode}, and it was carried out`]
}

/** Its words, as the oracle has them: which outcome it was is no claim about the site. */
function outcomeOf({ report, exitCode }: Ran): string {
  const { outcome, message, sent } = report ?? {}
  if (typeof outcome !== 'string') return exitCode === 5 ? 'no look' : 'refused'
  if (outcome === 'not-recorded' && sent === 'nothing') return 'not-recorded after nothing'
  return outcome === 'not-taken' && /update was not carried out/.test(String(message))
    ? 'not-taken update'
    : outcome
}

async function truthOf(world: World): Promise<Truth> {
  const { emulator, clock, state, kept } = world
  const site = emulator.world()
  const texts = state.startsWith('git:') ? textsIn(state.slice('git:'.length)) : await textsOf(kept)
  const { versions, broken } = readChain(texts)
  const record = versions.at(-1)?.record
  const shown = computeSiteState(site, clock.now())
  return {
    ...site.counters.configure,
    site: states[shown] ?? 'failed',
    journal: journalOf(versions),
    isAsDesired:
      isDeepStrictEqual(site.upgradeConfig, { podPlacementPolicy: desired.policy }) &&
      isDeepStrictEqual(record?.policy?.value, desired.policy),
    ...(broken !== undefined && { broken }),
  }
}

const states: Readonly<Record<string, Truth['site']>> = {
  not_configured: 'not-configured',
  in_progress: 'in-progress',
  ready: 'ready',
  configured: 'ready',
}

async function textsOf(folder: string): Promise<readonly string[]> {
  // With types, no link is followed: one to /proc/self has no end.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name))
  const versions = paths.filter(path => /\/\d{6}\.json$/.test(path)).sort()
  return Promise.all(versions.map(path => readFile(path, 'utf8')))
}

function textsIn(bare: string): readonly string[] {
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: bare, encoding: 'utf8' })
  const [ref] = git('for-each-ref', '--format=%(refname)', 'refs/landform/127.0.0.1*').trim().split('\n')
  if (!ref) return []
  return git('rev-list', '--reverse', ref)
    .trim()
    .split('\n')
    .map(commit => git('show', `${commit}:${git('ls-tree', '-r', '--name-only', commit).trim()}`))
}

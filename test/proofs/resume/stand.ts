import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Clock } from '../../../src/apply/clock.js'
import { buildSubmissionEntry } from '../../../src/apply/journal.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { systemClock } from '../../../src/library/system-ports.js'
import { emptyRecord } from '../../../src/plan/record.js'
import type { Holder, Submission } from '../../../src/plan/submission.js'
import { fileBackend } from '../../../src/state/file-backend.js'
import { gitBackend } from '../../../src/state/git-backend.js'
import { liveness } from '../../../src/state/process-identity.js'
import { stateStore } from '../../../src/state/state-store.js'
import { aSubmission } from '../../support/a-submission.js'
import { gitEnvironment } from '../../support/git-repositories.js'
import { someHolders } from '../../support/kept-state.js'
import { processStart } from '../../support/processes.js'
import { statePortsFor } from '../../support/some-state.js'
import { told, type World, wordsOf, worldOf } from '../faults/world.js'
import type { LockKind, SiteKind, Situation } from './table.js'

/** A situation that stands, and what a person outside can do about it. */
export interface Stand {
  readonly world: World
  readonly time: Ground['time']
  /** Takes away what hinders from outside: the site can be reached again, or the other run has ended. */
  mend(): Promise<void>
  close(): Promise<void>
}

const leaseMs = 15 * 60_000
const anHourMs = 3_600_000
/** Short, since a command that was printed looks at a site of this machine five times a second. */
const stageMs = 5_000

/** Asked once: for one of them a process has to end. */
const holders = someHolders()

/** Faults that the first run meets, with its token and without, and no later one. */
const faultsOf: Readonly<Partial<Record<SiteKind, string>>> = {
  failed: 'site@Object store=fail:It did not start.',
  unrecognized: 'site@Queue store+10m=state:paused',
  'without a token': 'root@1-2=error:499,message:Token required.',
  'behind a login page': 'root@1-2=redirect:302,location:/login',
  'in trouble': 'root@1=status:503',
  garbled: 'root@1=garbage',
}

/** Where a situation stands: where its state is kept, and whether time passes by itself or for those who sleep only. */
export interface Ground {
  readonly keeps: 'file' | 'git'
  readonly time: 'virtual' | 'real'
}

const realClock = { ...systemClock, pass: () => undefined }

/** Makes a situation with a real emulator, real state and, where one has the site, a real process. */
export async function stood(situation: Situation, { keeps, time }: Ground): Promise<Stand> {
  const { site, lock } = situation
  const fault = faultsOf[site]
  const configured = site === 'ready' ? ({ configured: true } as const) : {}
  const by = fault === undefined ? [] : [fault]
  const cell = { operation: 'apply', by, exitCode: 0, journal: 'none', ...configured } as const
  const passing = time === 'real' ? { clock: realClock, stageMs: 5 } : { stageMs }
  const world = await worldOf(cell, { fidelity: 'document', keeps }, passing)
  await begin(world, site)
  const other = lock === 'alive' || lock === 'paused' ? await aProcess(lock) : undefined
  await keep(world, situation, keeps, other)
  if (site === 'unreachable') await world.emulator.close()
  let again: Awaited<ReturnType<typeof startEmulator>> | undefined
  return {
    world,
    time,
    async mend() {
      other?.child.kill('SIGKILL')
      if (other !== undefined) await other.ended
      if (site === 'unrecognized') world.clock.pass(anHourMs)
      if (site !== 'unreachable') return
      const { port, pathname } = new URL(world.url)
      const options = { now: world.clock.now, stageMs }
      again = await startEmulator({ ...options, port: Number(port), basePath: pathname })
    },
    async close() {
      other?.child.kill('SIGKILL')
      await Promise.all([world.emulator.close(), again?.close(), other?.ended])
    },
  }
}

/** Some sites are what they are since another machine configured them. */
async function begin(world: World, site: SiteKind): Promise<void> {
  if (site !== 'in-progress' && site !== 'failed' && site !== 'unrecognized') return
  const apart = { ...world, state: `file:${world.folder}/apart` }
  const { exitCode, err } = await told(world, [...wordsOf(apart, 'apply'), '--detach'])
  if (exitCode !== 3) throw new Error(`the site was not begun: ${err}`)
  if (site === 'failed') world.clock.pass(anHourMs)
  if (site === 'unrecognized') world.clock.pass(5 * stageMs)
}

interface Other {
  readonly child: ChildProcess
  readonly holder: Holder
  readonly ended: Promise<unknown>
}

/** A process that lives until it is killed. */
async function aProcess(how: 'alive' | 'paused'): Promise<Other> {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' })
  await once(child, 'spawn')
  if (how === 'paused') child.kill('SIGSTOP')
  const { alive } = await holders
  const pid = child.pid ?? 0
  const startedAt = await processStart(pid)
  return { child, holder: { ...alive, pid, startedAt }, ended: once(child, 'exit') }
}

/** Writes what the run before left, with the lock that it holds still. */
async function keep(
  { kept: folder, url, clock, state, folder: checkout }: World,
  { journal, lock }: Situation,
  keeps: 'file' | 'git',
  other: Other | undefined,
): Promise<void> {
  if (journal === 'none' && lock === 'nobody') return
  const { elsewhere, dead } = await holders
  const isElsewhere = lock === 'elsewhere' || lock.endsWith('lease')
  const holder = other?.holder ?? (isElsewhere ? elsewhere : dead)
  const then = clock.now() - (lock === 'expired lease' || clock === realClock ? anHourMs : 60_000)
  const ports = statePortsFor(() => then, { self: async () => holder, liveness })
  const backend =
    keeps === 'file'
      ? fileBackend(folder)
      : gitBackend(state.replace('git:', ''), {
          folder: checkout,
          environment: gitEnvironment,
          timeoutMs: 20_000,
        })
  const { leaseMs: _, ...lasting } = backend
  const store = stateStore(leased(lock) ? { ...lasting, leaseMs } : lasting, { url }, ports)
  const taken = await store.take('apply')
  if (taken.kind !== 'held') throw new Error(`the site is ${taken.kind}`)
  const at = new Date(then).toISOString()
  const submission = aSubmission({
    state: journal === 'none' ? 'intent' : journal,
    by: holder,
    intendedAt: at,
    changedAt: at,
    ...(await waitedFor(clock)),
  })
  if (journal !== 'none')
    await taken.held.write(buildSubmissionEntry(journal), () => ({ record: emptyRecord, submission }))
  if (lock === 'nobody') await taken.held.release({ type: 'released' })
}

/** Nobody waits for a quarter of an hour of real time: there somebody wanted to take the request back an hour ago. */
async function waitedFor(clock: Clock): Promise<Pick<Submission, 'drain'>> {
  const now = clock === realClock ? await clock.machineTime?.() : undefined
  if (now === undefined) return {}
  const since = { of: now.of, ms: now.ms - anHourMs }
  return { drain: { since, notedAt: new Date(clock.now() - anHourMs).toISOString() } }
}

const leased = (lock: LockKind) => lock.endsWith('lease')

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { buildSubmissionEntry } from '../../../src/apply/journal.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { emptyRecord } from '../../../src/plan/situation.js'
import type { Holder } from '../../../src/plan/submission.js'
import { fileBackend } from '../../../src/state/file-backend.js'
import { liveness } from '../../../src/state/machine.js'
import { stateStore } from '../../../src/state/state-store.js'
import { aSubmission } from '../../support/a-submission.js'
import { joinLines } from '../../support/join-lines.js'
import { someHolders } from '../../support/kept-state.js'
import { processStart } from '../../support/processes.js'
import { statePortsFor } from '../../support/some-state.js'
import { removeTemporaryFolders } from '../../support/temporary-folder.js'
import { makeWorld, runCommand, type World, wordsOf } from '../faults/world.js'
import { splitWords } from './shell-words.js'
import { codeOf, type LockKind, lastCodeOf, type SiteKind, type Situation } from './situation-table.js'

/** A situation that was set up, and the repair of its external obstacle. */
interface Stand {
  readonly world: World
  /** Removes the external obstacle: makes the site reachable again, or ends the other run. */
  repair(): Promise<void>
  close(): Promise<void>
}

const leaseMs = 15 * 60_000
const anHourMs = 3_600_000
/** Short, because a printed command polls a local site five times a second. */
const stageMs = 5_000

/** Made once: one of them needs a process that has ended. */
const holders = someHolders()

/** The faults of the first run only. */
const faultsOf: Readonly<Partial<Record<SiteKind, string>>> = {
  failed: 'site@Object store=fail:It did not start.',
  unrecognized: 'site@Queue store+10m=state:paused',
  'without a token': 'root@1-2=error:499,message:Token required.',
  'behind a login page': 'root@1-2=redirect:302,location:/login',
  'in trouble': 'root@1=status:503',
  garbled: 'root@1=garbage',
}

/** Sets up a situation with a real emulator, real state and, if another process holds the lock, a real process. */
async function stood(situation: Situation): Promise<Stand> {
  const { site, lock } = situation
  const fault = faultsOf[site]
  const configured = site === 'ready' ? ({ configured: true } as const) : {}
  const by = fault === undefined ? [] : [fault]
  const cell = { operation: 'apply', by, exitCode: 0, journal: 'none', ...configured } as const
  const world = await makeWorld(cell, { fidelity: 'document', keeps: 'file' }, { stageMs })
  await begin(world, site)
  const other = lock === 'alive' || lock === 'paused' ? await aProcess(lock) : undefined
  await keep(world, situation, other)
  if (site === 'unreachable') await world.emulator.close()
  let again: Awaited<ReturnType<typeof startEmulator>> | undefined
  return {
    world,
    async repair() {
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

/** Starts the configuration of a site that another machine configured before. */
async function begin(world: World, site: SiteKind): Promise<void> {
  if (site !== 'in-progress' && site !== 'failed' && site !== 'unrecognized') return
  const apart = { ...world, state: `file:${world.folder}/apart` }
  const { exitCode, err } = await runCommand(world, [...wordsOf(apart, 'apply'), '--detach'])
  if (exitCode !== 3) throw new Error(`the configuration was not started: ${err}`)
  if (site === 'failed') world.clock.pass(anHourMs)
  if (site === 'unrecognized') world.clock.pass(5 * stageMs)
}

interface Other {
  readonly child: ChildProcess
  readonly holder: Holder
  readonly ended: Promise<unknown>
}

/** Starts a process that lives until it is killed. */
async function aProcess(how: 'alive' | 'paused'): Promise<Other> {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' })
  await once(child, 'spawn')
  if (how === 'paused') child.kill('SIGSTOP')
  const { alive } = await holders
  const pid = child.pid ?? 0
  const startedAt = await processStart(pid)
  return { child, holder: { ...alive, pid, startedAt }, ended: once(child, 'exit') }
}

/** Writes the state that an earlier run left, with its lock. */
async function keep(
  { kept: folder, url, clock }: World,
  { journal, lock }: Situation,
  other: Other | undefined,
): Promise<void> {
  if (journal === 'none' && lock === 'nobody') return
  const { elsewhere, dead } = await holders
  const isElsewhere = lock === 'elsewhere' || lock.endsWith('lease')
  const holder = other?.holder ?? (isElsewhere ? elsewhere : dead)
  const then = clock.now() - (lock === 'expired lease' ? anHourMs : 60_000)
  const ports = statePortsFor(() => then, { self: async () => holder, liveness })
  const { leaseMs: _, ...lasting } = fileBackend(folder)
  const store = stateStore(leased(lock) ? { ...lasting, leaseMs } : lasting, { url }, ports)
  const taken = await store.take('apply')
  if (taken.kind !== 'held') throw new Error(`the site is ${taken.kind}`)
  const at = new Date(then).toISOString()
  const submission = aSubmission({
    state: journal === 'none' ? 'intent' : journal,
    by: holder,
    intendedAt: at,
    changedAt: at,
  })
  if (journal !== 'none')
    await taken.held.write(buildSubmissionEntry(journal), () => ({ record: emptyRecord, submission }))
  if (lock === 'nobody') await taken.held.release({ type: 'released' })
}

const leased = (lock: LockKind) => lock.endsWith('lease')

/** Runs a command line, as `runCommand` does; a control changes the output. */
type Teller = (
  world: World,
  words: readonly string[],
) => Promise<{ readonly exitCode: number; readonly out: string; readonly err: string }>

/** The exit codes of one more apply and of the printed commands, and the violations. */
interface Followed {
  readonly steps: readonly string[]
  readonly violations: readonly string[]
}

const mostSteps = 10
const mostMs = 45 * 60_000

/** Runs `apply` once more, and then each printed command verbatim, until the site is complete. */
async function followed(situation: Situation, { world, repair }: Stand, tell: Teller): Promise<Followed> {
  const steps: string[] = []
  const violations: string[] = []
  let words = wordsOf(world, 'apply')
  for (let step = 0; step < mostSteps; step += 1) {
    const beganMs = world.clock.monotonicMs()
    const { exitCode, out, err } = await tell(world, words)
    const tookMs = world.clock.monotonicMs() - beganMs
    const name = words.slice(0, words[0] === 'state' ? 2 : 1).join(' ')
    steps.push(`${name} ${exitCode}`)
    if (step === 0 && exitCode !== codeOf(situation))
      violations.push(`one more apply exited with ${exitCode}, not ${codeOf(situation)}: ${err}`)
    if (tookMs > mostMs) violations.push(`${name} took ${tookMs} ms`)
    if (step === 0) await repair()
    if (name === 'apply' && exitCode === lastCodeOf(situation)) return { steps, violations }
    if ((name === 'plan' || name === 'adopt') && exitCode === 0) {
      // Assumes that the plan was reviewed, or the recorded site compared.
      words = wordsOf(world, 'apply')
      continue
    }
    const printed = commandsIn(`${out}\n${err}`)
    for (const look of printed.filter(isReadOnly)) {
      const looked = await tell(world, look)
      if (neverFromReading.includes(looked.exitCode))
        violations.push(`${look.join(' ')} was printed, and exited with ${looked.exitCode}: ${looked.err}`)
    }
    const next = printed.filter(one => !isReadOnly(one)).at(-1) ?? sameAgain(words, err) ?? printed.at(-1)
    if (next === undefined && !fromOutside.includes(exitCode)) {
      violations.push(`${name} exited with ${exitCode}, and printed no command: ${err}`)
      return { steps, violations }
    }
    words = next ?? words
  }
  return { steps, violations: [...violations, `stuck: ${steps.join(', ')}`] }
}

/** Lists every command in a message, split as a shell does. */
function commandsIn(message: string): readonly (readonly string[])[] {
  const text = joinLines(message)
  const quoted = [...text.matchAll(/`landform ([^`]+)`/g)].map(([, words = '']) => words)
  const plain = [...text.matchAll(/^next: landform (.+)$/gm)].map(([, words = '']) => words)
  return [...quoted, ...plain].map(one => {
    const split = splitWords(one)
    if (!split.ok) throw new Error(`no shell accepts ${one}, which ${split.error}`)
    return split.value
  })
}

/** If a message asks for the same command, returns the same words, with the option that it names. */
function sameAgain(words: readonly string[], err: string): readonly string[] | undefined {
  const found = /the same command(?:[^.\n]*? with (--[a-z-]+))?/.exec(joinLines(err))
  if (found === null) return undefined
  const [, option] = found
  return option === undefined ? words : [...words, option]
}

const isReadOnly = ([first, second]: readonly string[]) =>
  first === 'status' || first === 'plan' || (first === 'state' && second === 'show')

/** Exit codes that a printed command must not have: invalid usage, invalid or missing files, internal errors. */
const neverFromReading: readonly number[] = [64, 65, 66, 70]

/** Exit codes for an external obstacle. After its repair, the same command continues. */
const fromOutside: readonly number[] = [69, 75, 77]

/** Sets up a situation, and follows the printed commands until the site is complete. */
export async function resumed(situation: Situation, tell: Teller = runCommand): Promise<Followed> {
  const stand = await stood(situation)
  try {
    return await followed(situation, stand, tell)
  } finally {
    await stand.close()
    await removeTemporaryFolders()
  }
}

/** Programs that leave a site stuck, each with a situation that must show it. */
const stuck: Readonly<Record<string, { readonly tell: Teller; readonly from: Situation }>> = {
  'waits for a lease that has expired': {
    async tell(world, words) {
      const wait = `next: wait for that run, then run \`landform ${words.join(' ')}\``
      return words[0] === 'apply' ? { exitCode: 7, out: '', err: wait } : runCommand(world, words)
    },
    from: { journal: 'begun', site: 'ready', lock: 'expired lease' },
  },
  'prints no command if the outcome is unknown': {
    async tell(world, words) {
      const said = await runCommand(world, words)
      return said.exitCode === 4 ? { ...said, err: 'next: ask an operator' } : said
    },
    from: { journal: 'unknown', site: 'not-configured', lock: 'nobody' },
  },
  'prints a command that does not exist': {
    async tell(world, words) {
      const said = await runCommand(world, words)
      return { ...said, err: said.err.replaceAll('landform state unlock', 'landform state status') }
    },
    from: { journal: 'begun', site: 'ready', lock: 'elsewhere' },
  },
}

/** Tests whether the programs that leave a site stuck are detected. */
export async function stuckPrograms(): Promise<{
  readonly found: number
  readonly missed: readonly string[]
}> {
  const missed: string[] = []
  for (const [name, { tell, from }] of Object.entries(stuck))
    if ((await resumed(from, tell)).violations.length === 0) missed.push(name)
  return { found: Object.keys(stuck).length - missed.length, missed }
}

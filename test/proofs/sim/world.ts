import type { Clock } from '../../../src/apply/clock.js'
import type { StatePorts } from '../../../src/state/ports.js'
import type { DiskKind, Loss } from './disk.js'

/** An effect of a process on its world. A process performs one at a time. */
export type EffectKind = 'look' | 'settings' | 'connect' | 'send' | 'update' | 'newest' | 'add' | DiskKind

/** A fault at an effect, numbered from 0. */
export interface Fault {
  readonly at: number
  readonly name: string
}

/** One machine, on which the liveness of a process is known, or several, of which only the lease of a lock is known. */
export type Machines = 'one' | 'several'

/** Everything outside a process, in memory: time, living processes, and effects with their faults. */
export interface World {
  readonly clock: Clock & { pass(milliseconds: number): void }
  /** The kind of every effect so far. Its index is the number of the effect. */
  readonly trace: readonly EffectKind[]
  /** Formats everything that happened. The same course gives the same bytes. */
  log(): readonly string[]
  note(line: string): void
  /** The number of faults that happened. */
  readonly met: number
  /** Performs an effect of a process. `perform` gets the name of its fault, if it has one. */
  effect<T>(pid: number, kind: EffectKind, perform: (fault?: string) => T): Promise<T>
  /** Starts a process and waits for its end; `undefined` if it crashed. */
  process<T>(work: (pid: number) => Promise<T>): Promise<T | undefined>
  statePorts(pid: number): StatePorts
  /** Waits before each effect, so that other processes can go first. */
  gate: (pid: number) => Promise<void>
  /** Runs another process while the process at the effect is suspended. */
  meanwhile: (how: 'other-run' | 'unlocked-run') => Promise<void>
  /** Makes the disk lose its power. */
  losePower: (loss: Loss) => void
}

/** Power losses: all unflushed changes are lost, all are kept, data is torn, or only some names are kept. */
export const losses: Readonly<Record<string, Loss>> = {
  'power-gone': { keepsName: () => false, data: 'gone' },
  'power-kept': { keepsName: () => true, data: 'whole' },
  'power-torn': { keepsName: () => true, data: 'half' },
  'power-reordered': { keepsName: change => change % 2 === 1, data: 'zeros' },
}

const start = Date.UTC(2026, 0, 2, 3, 4, 5)
const anHourMs = 3_600_000
const aGapMs = 12 * anHourMs

/** Returns the fault at an effect, by its number and kind. */
export type FaultAt = (at: number, kind: EffectKind) => string | undefined

/** Looks up faults by the number of their effect. */
export function placed(faults: readonly Fault[]): FaultAt {
  const byNumber = new Map(faults.map(({ at, name }) => [at, name]))
  return at => byNumber.get(at)
}

/** Creates a world. The same faults lead to the same course. */
export function makeWorld(machines: Machines, faultAt: FaultAt): World {
  const trace: EffectKind[] = []
  /** Formatted on demand, because most logs are never read. */
  const lines: (() => string)[] = []
  const living = new Map<number, () => void>()
  let elapsedMs = 0
  let processes = 0
  let nonces = 0
  let met = 0
  let isMeanwhile = false

  const crash = (pid: number) => {
    living.get(pid)?.()
    living.delete(pid)
    return never()
  }
  const tell = (line: () => string) => {
    const at = elapsedMs
    lines.push(() => `${at} ms, ${line()}`)
  }
  const note = (line: string) => {
    tell(() => line)
  }
  const performed = <T>(what: () => string, perform: () => T): T => {
    try {
      const done = perform()
      tell(() => `${what()}: ${inShort(done)}`)
      return done
    } catch (error) {
      // Error messages contain random paths.
      tell(() => `${what()}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`)
      throw error
    }
  }
  const nested = async (how: 'other-run' | 'unlocked-run') => {
    isMeanwhile = true
    // Longer than any lease.
    if (machines === 'several') elapsedMs += anHourMs
    await world.meanwhile(how)
    isMeanwhile = false
  }
  const world: World = {
    trace,
    log: () => lines.map(line => line()),
    note,
    get met() {
      return met
    },
    clock: {
      now: () => start + elapsedMs,
      monotonicMs: () => elapsedMs,
      async sleep(milliseconds, signal) {
        if (!signal.aborted) elapsedMs += Math.ceil(milliseconds)
      },
      pass(milliseconds) {
        elapsedMs += milliseconds
      },
    },
    async effect(pid, kind, perform) {
      if (isMeanwhile) return performed(() => `process ${pid}, ${kind}`, perform)
      await world.gate(pid)
      if (!living.has(pid)) return never()
      const fault = faultAt(trace.length, kind)
      const at = trace.length
      const what = () => `effect ${at}, process ${pid}, ${kind}${fault === undefined ? '' : ` (${fault})`}`
      trace.push(kind)
      if (fault !== undefined) met += 1
      const loss = losses[fault ?? '']
      if (fault === 'crash-before' || loss !== undefined) tell(what)
      if (fault === 'crash-before') return crash(pid)
      if (loss !== undefined) {
        world.losePower(loss)
        for (const one of [...living.keys()]) void crash(one)
        return never()
      }
      if (fault === 'other-run' || fault === 'unlocked-run') await nested(fault)
      if (fault === 'gap') elapsedMs += aGapMs
      const done = performed(what, () => perform(fault))
      return fault === 'crash-after' ? crash(pid) : done
    },
    async process(work) {
      processes += 1
      const pid = processes
      const crashed = new Promise<undefined>(resolve => living.set(pid, () => resolve(undefined)))
      const ended = await Promise.race([work(pid), crashed])
      living.delete(pid)
      return ended
    },
    statePorts: pid => ({
      now: () => start + elapsedMs,
      nonce() {
        nonces += 1
        return `nonce-${nonces}`
      },
      self: async () => ({ host: machines === 'one' ? 'runner' : `runner-${pid}`, pid }),
      async liveness(holder) {
        if (machines === 'several') return 'elsewhere'
        return living.has(holder.pid) ? 'alive' : 'dead'
      },
      tool: 'landform/simulated',
    }),
    gate: async () => undefined,
    meanwhile: async () => undefined,
    losePower: () => undefined,
  }
  return world
}

/** Never resolves, so a dead process does nothing more, not even its cleanup. */
function never(): Promise<never> {
  return new Promise(() => undefined)
}

/** Formats a result without the texts of versions, which are at the end of a log. */
function inShort(done: unknown): string {
  if (done === undefined) return 'done'
  return JSON.stringify(done, (key, value) => (key === 'text' ? `${String(value).length} characters` : value))
}

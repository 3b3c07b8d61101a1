import type { Reply, ServiceFailure } from '../../../src/client/failure.js'
import type { SiteWriter } from '../../../src/client/site-client.js'
import type { Observation } from '../../../src/plan/observation.js'
import { isPending } from '../../../src/plan/submission.js'
import type { HeldState, StateStore } from '../../../src/state/ports.js'
import type { StateBackend, Version } from '../../../src/state/series.js'
import type { SiteState, StateContent } from '../../../src/state/site-state.js'
import { addingBy } from '../../support/some-state.js'
import type { RunPorts } from './one-run.js'
import type { Mutant } from './scenario.js'

type Sent = Reply<Observation>

/** Designs with one mistake each. A check that misses one proves nothing. */
export const mutants: Readonly<Record<string, Mutant>> = {
  'sends again after a connection reset': onAnswer(again(({ kind }) => kind === 'no-answer')),
  'sends again if the service is unavailable': onAnswer(again(({ kind }) => kind === 'trouble')),
  'follows a redirect': onAnswer(again(({ kind }) => kind === 'redirected')),
  'treats every 200 as accepted': onAnswer(async reply =>
    isFailure(reply, failure => failure.kind === 'not-understood' && failure.status === 200) ? begun : reply,
  ),
  'treats a cut connection as not sent': onAnswer(async reply =>
    isFailure(reply, ({ kind }) => kind === 'no-answer')
      ? { ok: false, error: { kind: 'not-sent', cause: 'connection', reason: 'reset' } }
      : reply,
  ),
  'treats a rejection as not sent': onAnswer(async reply =>
    isFailure(reply, ({ kind }) => kind === 'refused')
      ? { ok: false, error: { kind: 'not-sent', cause: 'connection', reason: 'reset' } }
      : reply,
  ),
  'records the submission intent after sending': { ports: ports => ({ ...ports, ...promisingLate(ports) }) },
  'keeps no journal': { ports: ports => ({ ...ports, state: blind(ports.state, () => true) }) },
  'ignores the submission intent of an earlier run': {
    ports: ports => ({ ...ports, state: blind(ports.state, ({ submission }) => isOpen(submission)) }),
  },
  'ignores a submission intent after a quarter of an hour': {
    ports: ports => ({
      ...ports,
      state: blind(
        ports.state,
        ({ submission }) =>
          isOpen(submission) && ports.clock.now() - Date.parse(submission?.intendedAt ?? '') > 15 * 60_000,
      ),
    }),
  },
  'takes the lock of a suspended process, and sends again': {
    statePorts: ports => ({ ...ports, liveness: async () => 'dead' }),
    ports: ports => ({ ...ports, state: blind(ports.state, ({ submission }) => isOpen(submission)) }),
  },
  'writes without flushing': { volatile: 1 },
  'overwrites a version of another process': { backend: overwriting },
  'believes a single response': {
    ports: ports => ({ ...ports, client: { ...ports.client, observe: lastReady(ports.client) } }),
  },
  'treats in-progress as ready': {
    ports: ports => ({
      ...ports,
      client: {
        ...ports.client,
        async observe(signal) {
          const seen = await ports.client.observe(signal)
          return seen.ok && seen.value.kind === 'in-progress'
            ? { ok: true, value: { ...seen.value, kind: 'ready' } }
            : seen
        },
      },
    }),
  },
  'exits with 0 if its wait times out': { end: end => (end.exitCode === 3 ? { ...end, exitCode: 0 } : end) },
  'exits with 0 if the outcome is unknown': {
    end: end => (end.exitCode === 4 ? { ...end, exitCode: 0 } : end),
  },
}

const begun: Sent = { ok: true, value: { kind: 'in-progress', warnings: [], stages: [] } }

function isFailure(reply: Sent, is: (failure: ServiceFailure) => boolean): boolean {
  return !reply.ok && is(reply.error)
}

function isOpen(submission: StateContent['submission']): boolean {
  return submission !== undefined && isPending(submission)
}

/** Changes the reply to `configure`. */
function onAnswer(change: (reply: Sent, send: () => Promise<Sent>) => Promise<Sent>): Mutant {
  return {
    ports: ports => ({
      ...ports,
      client: {
        ...ports.client,
        async openConfigure(...args: Parameters<SiteWriter['openConfigure']>) {
          const opened = await ports.client.openConfigure(...args)
          if (!opened.ok) return opened
          const send = () => opened.value.send(args[2])
          return { ok: true, value: { ...opened.value, send: async () => change(await send(), send) } }
        },
      },
    }),
  }
}

function again(is: (failure: ServiceFailure) => boolean) {
  return async (reply: Sent, send: () => Promise<Sent>) => (isFailure(reply, is) ? send() : reply)
}

/** Hides the submission from a run if `isBlind` returns true. */
function blind(state: StateStore, isBlind: (content: StateContent) => boolean): StateStore {
  const without = <T extends StateContent>(content: T): T => {
    if (!isBlind(content)) return content
    const { submission: _, ...rest } = content
    return rest as unknown as T
  }
  return {
    ...state,
    async read() {
      const read = await state.read()
      return read.ok && read.value !== undefined ? { ok: true, value: without<SiteState>(read.value) } : read
    },
    async take(purpose, isExpected) {
      const taken = await state.take(purpose, content => isExpected?.(without(content)) ?? true)
      if (taken.kind !== 'held') return taken
      const { held } = taken
      // The run ignores the content that it found, but sees its own writes.
      let content = without(held.content)
      const seen: HeldState = {
        ...held,
        get content() {
          return content
        },
        get lock() {
          return held.lock
        },
        note(change) {
          content = change(content)
        },
        write(entry, change) {
          content = change(content)
          return held.write(entry, () => content)
        },
      }
      return { ...taken, held: seen }
    },
  }
}

/** Writes the intent only after the reply. */
function promisingLate(ports: RunPorts): Pick<RunPorts, 'state'> {
  const { state } = ports
  return {
    state: {
      ...state,
      async take(purpose, isExpected) {
        const taken = await state.take(purpose, isExpected)
        if (taken.kind !== 'held') return taken
        const { held } = taken
        let late: Parameters<HeldState['write']> | undefined
        const write: HeldState['write'] = async (entry, change) => {
          if (entry.type === 'submission' && entry.state === 'intent') {
            late = [entry, change]
            return { ok: true, value: undefined }
          }
          if (late !== undefined) await held.write(...late)
          late = undefined
          return held.write(entry, change)
        }
        const seen: HeldState = {
          ...held,
          get content() {
            return late === undefined ? held.content : late[1](held.content)
          },
          get lock() {
            return held.lock
          },
          write,
        }
        return { ...taken, held: seen }
      },
    },
  }
}

/** Overwrites a version that exists. */
function overwriting(backend: StateBackend, versions: Version[]): StateBackend {
  return addingBy(backend, async (series, version) => {
    const added = await series.add(version)
    if (!added.ok || added.value) return added
    versions.splice(version.serial - 1, versions.length, version)
    return { ok: true, value: true }
  })
}

/** Stops polling after the first poll that shows ready. */
function lastReady({ observe }: SiteWriter): SiteWriter['observe'] {
  let ready: Reply<Observation> | undefined
  return async signal => {
    if (ready !== undefined) return ready
    const seen = await observe(signal)
    if (seen.ok && seen.value.kind === 'ready') ready = seen
    return seen
  }
}

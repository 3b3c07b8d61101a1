import type { Reply, ServiceFailure } from '../../../src/client/failure.js'
import type { SiteWriter } from '../../../src/client/site-client.js'
import { noSettings, type Observation } from '../../../src/plan/observation.js'
import type { World } from './world.js'

/** A model of the service. It shares no code with the client or the emulator. */
export interface SimSite {
  readonly received: number
  readonly accepted: number
  /** Requests that a proxy repeated. Only the service could reject them, so they are no violations. */
  readonly doubled: number
  receivedFrom(pid: number): number
  acceptedFrom(pid: number): number
  state(): 'not-configured' | 'in-progress' | 'ready' | 'failed'
  readonly policy: unknown
  clientOf(pid: number): SiteWriter
}

const configuringMs = 150_000
const lateMs = 25 * 60_000
/** The deadlines of a request and of a poll. */
const hangsMs = { send: 15 * 60_000, look: 60_000 }

const noAnswer: ServiceFailure = { kind: 'no-answer', reason: 'cut' }
const notSent: ServiceFailure = { kind: 'not-sent', cause: 'connection', reason: 'refused' }
const refused: ServiceFailure = { kind: 'refused', status: 200, code: 400, message: 'no' }
const unauthorized: ServiceFailure = { kind: 'unauthorized', status: 200, code: 499, message: 'token' }
const redirected: ServiceFailure = { kind: 'redirected', status: 307 }
const trouble: ServiceFailure = { kind: 'trouble', status: 503 }
const garbage: ServiceFailure = { kind: 'not-understood', status: 200, reason: 'not-a-json-object' }
const rejectedAsUnavailable: ServiceFailure = { kind: 'refused', status: 500, code: 500, message: 'error' }

/** The fate of a request: whether it arrives, when it is carried out, and the failure that its sender sees. */
interface Ending {
  readonly arrives: boolean
  /** The delay until it is carried out, in milliseconds; absent if it never is. */
  readonly after?: number
  readonly failure?: ServiceFailure
  /** Its sender waits until the deadline. */
  readonly hangs?: true
  /** A proxy sends it again. */
  readonly doubled?: true
}

const ended: Readonly<Record<string, Ending>> = {
  'not-sent': { arrives: false, failure: notSent },
  lost: { arrives: false, failure: noAnswer },
  'cut-before': { arrives: true, failure: noAnswer },
  'cut-after': { arrives: true, after: 0, failure: noAnswer },
  late: { arrives: true, after: lateMs, failure: noAnswer },
  'hangs-before': { arrives: true, hangs: true, failure: noAnswer },
  'hangs-after': { arrives: true, after: 0, hangs: true, failure: noAnswer },
  doubled: { arrives: true, after: 0, doubled: true },
  refused: { arrives: true, failure: refused },
  'refused-after': { arrives: true, after: 2_000, failure: refused },
  unauthorized: { arrives: true, failure: unauthorized },
  redirected: { arrives: true, failure: redirected },
  'trouble-before': { arrives: true, failure: trouble },
  'trouble-after': { arrives: true, after: 0, failure: trouble },
  'garbage-before': { arrives: true, failure: garbage },
  'garbage-after': { arrives: true, after: 0, failure: garbage },
  'refused-in-trouble': { arrives: true, after: 0, failure: rejectedAsUnavailable },
}
const well: Ending = { arrives: true, after: 0 }

const observations: Readonly<Record<string, ServiceFailure>> = {
  'not-sent': notSent,
  cut: noAnswer,
  hangs: noAnswer,
  refused,
  unauthorized,
  redirected,
  trouble,
  garbage,
}

/** The faults of each effect, in addition to those of its process. */
export const siteFaults = {
  look: [...Object.keys(observations), 'behind', 'ahead', 'failing', 'another', 'strange', 'expired'],
  settings: [],
  connect: ['not-sent'],
  send: Object.keys(ended),
  update: Object.keys(ended).filter(name => name !== 'late' && name !== 'doubled'),
} as const

/** Wrong responses that a run believes if the site repeats them. */
export const believedTwice: readonly string[] = ['ahead', 'failing', 'another']

/** Creates a site that is not configured; `ends` is the result of its configuration. */
export function simSite(world: World, ends: 'ready' | 'failed'): SimSite {
  const begins: number[] = []
  const by = { received: new Map<number, number>(), accepted: new Map<number, number>() }
  /** Processes with an expired token. */
  const expired = new Set<number>()
  let policy: unknown
  let doubled = 0
  const count = (counter: Map<number, number>, pid: number) => counter.set(pid, (counter.get(pid) ?? 0) + 1)
  const sum = (counter: Map<number, number>) => [...counter.values()].reduce((all, one) => all + one, 0)
  const state = () => {
    const begin = Math.min(...begins)
    const now = world.clock.monotonicMs()
    if (begin > now) return 'not-configured'
    return now < begin + configuringMs ? 'in-progress' : ends
  }
  const shown = (kind: Observation['kind'], version = '11.2.0'): Observation =>
    kind === 'unrecognized'
      ? { kind, version, state: 'upside_down', warnings: [], stages: [] }
      : { kind, version, warnings: [], stages: [] }
  const seen = (pid: number, fault: string | undefined): Reply<Observation> => {
    if (fault === 'expired') expired.add(pid)
    if (expired.has(pid)) return { ok: false, error: unauthorized }
    if (fault === 'hangs') world.clock.pass(hangsMs.look)
    const failure = observations[fault ?? '']
    if (failure !== undefined) return { ok: false, error: failure }
    if (fault === 'strange') return { ok: true, value: shown('unrecognized') }
    if (fault === 'failing') return { ok: true, value: shown('failed') }
    if (fault === 'another') return { ok: true, value: shown(state(), '11.3.0') }
    const now = state()
    if (fault === 'behind' && now !== 'not-configured')
      return { ok: true, value: shown(now === 'in-progress' ? 'not-configured' : 'in-progress') }
    if (fault === 'ahead' && now === 'in-progress') return { ok: true, value: shown('ready') }
    return { ok: true, value: shown(state()) }
  }
  const meet = (fault: string | undefined, carryOut: (after: number) => void): Reply<void> => {
    const { after, failure, hangs } = ended[fault ?? ''] ?? well
    if (after !== undefined) carryOut(after)
    if (hangs) world.clock.pass(hangsMs.send)
    return failure === undefined ? { ok: true, value: undefined } : { ok: false, error: failure }
  }
  return {
    state,
    get received() {
      return sum(by.received)
    },
    // A request that is still on its way counts, because it will be carried out.
    get accepted() {
      return sum(by.accepted)
    },
    get doubled() {
      return doubled
    },
    receivedFrom: pid => by.received.get(pid) ?? 0,
    acceptedFrom: pid => by.accepted.get(pid) ?? 0,
    get policy() {
      return policy
    },
    clientOf: pid => ({
      observe: () => world.effect(pid, 'look', fault => seen(pid, fault)),
      settings: () => world.effect(pid, 'settings', () => noSettings('not-offered')),
      async openConfigure() {
        const connected = await world.effect(pid, 'connect', fault => fault !== 'not-sent')
        if (!connected) return { ok: false, error: notSent }
        const look = await world.effect(pid, 'look', fault => seen(pid, fault))
        if (!look.ok) return look
        return {
          ok: true,
          value: {
            observed: look.value,
            deadlineMs: 900_000,
            discard: () => undefined,
            send: () =>
              world.effect(pid, 'send', name => {
                const ending = ended[name ?? ''] ?? well
                if (ending.arrives) count(by.received, pid)
                if (ending.doubled) doubled += 1
                const reply = meet(name, after => {
                  count(by.accepted, pid)
                  begins.push(world.clock.monotonicMs() + after)
                })
                return reply.ok ? { ok: true, value: shown(state()) } : reply
              }),
          },
        }
      },
      update: request =>
        world.effect(pid, 'update', fault =>
          meet(fault, () => {
            policy = request.upgradeConfig
          }),
        ),
    }),
  }
}

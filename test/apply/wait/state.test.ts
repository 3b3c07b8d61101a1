import { startWaitState, updateWaitState, type WaitFacts } from '../../../src/apply/wait/state.js'
import type { Reply, ServiceFailure } from '../../../src/client/failure.js'
import type { Observation } from '../../../src/plan/observation.js'

const known: WaitFacts = {
  stages: [],
  begun: false,
  isAnswered: false,
  marks: [],
  estimate: [],
  stallMs: 900_000,
}
const answer = (more: object = {}): Reply<Observation> => ({
  ok: true,
  value: { kind: 'in-progress', warnings: [], stages: [], ...more } as Observation,
})
const failing = (failure: ServiceFailure): Reply<Observation> => ({ ok: false, error: failure })

/** The events for answers that come one second apart. */
function eventsOf(...answers: readonly Reply<Observation>[]) {
  const steps = { watch: startWaitState(known), events: [] as unknown[] }
  for (const [nth, reply] of answers.entries()) {
    const { watch, events } = updateWaitState(steps.watch, reply, { elapsedMs: nth * 1000, known })
    steps.watch = watch
    steps.events.push(...events.filter(({ type }) => type !== 'configure-begun'))
  }
  return steps.events
}

const trouble = (status: number) => ({ kind: 'trouble', status }) as const
const lost = (reason: string) => ({ kind: 'no-answer', reason }) as const
const unsent = (reason: string) => ({ kind: 'not-sent', cause: 'connection', reason }) as const
const refused = (code: number) => ({ kind: 'refused', status: 200, code, message: 'x' }) as const

test.each<[ServiceFailure, ServiceFailure]>([
  [trouble(502), trouble(503)],
  [lost('ECONNRESET'), lost('ETIMEDOUT')],
  [unsent('ECONNREFUSED'), unsent('EHOSTUNREACH')],
  [refused(400), refused(500)],
])('a poll that fails differently is reported, one that fails the same way is not: %j', (one, other) => {
  expect(eventsOf(failing(one), failing(one), failing(other))).toStrictEqual([
    { type: 'observation-failed', failure: one, elapsedMs: 0 },
    { type: 'observation-failed', failure: other, elapsedMs: 2000 },
  ])
})

test('a rejection whose message differs each time is the same failure', () => {
  const worded = { ...refused(400), message: 'another' }
  expect(eventsOf(failing(refused(400)), failing(worded))).toHaveLength(1)
})

test('the first poll that succeeds reports how long polls had failed', () => {
  const events = eventsOf(answer(), failing(trouble(503)), failing(trouble(503)), answer())
  expect(events).toStrictEqual([
    { type: 'observation-failed', failure: trouble(503), elapsedMs: 1000 },
    { type: 'observation-restored', failedMs: 2000, elapsedMs: 3000 },
  ])
})

test('a failure that was reported ten times is reported no more, and neither is its end', () => {
  const flaps = Array.from({ length: 11 }, () => [failing(trouble(503)), answer()]).flat()
  const events = eventsOf(...flaps)
  expect(events).toHaveLength(20)
  const both = eventsOf(
    ...flaps.slice(0, -2),
    failing(trouble(503)),
    failing(trouble(502)),
    failing(trouble(503)),
    answer(),
  )
  expect(both.slice(20)).toStrictEqual([
    { type: 'observation-failed', failure: trouble(502), elapsedMs: 21_000 },
    { type: 'observation-restored', failedMs: 3000, elapsedMs: 23_000 },
  ])
})

test('messages are reported when they change, each three times at most, and each warning once', () => {
  const [a, b] = [answer({ message: 'a', warnings: ['a'] }), answer({ message: 'b' })]
  expect(eventsOf(a, a, b, a, b, a, b, a)).toStrictEqual([
    { type: 'site-said', message: 'a', warnings: ['a'], elapsedMs: 0 },
    { type: 'site-said', message: 'b', warnings: [], elapsedMs: 2000 },
    { type: 'site-said', message: 'a', warnings: [], elapsedMs: 3000 },
    { type: 'site-said', message: 'b', warnings: [], elapsedMs: 4000 },
    { type: 'site-said', message: 'a', warnings: [], elapsedMs: 5000 },
    { type: 'site-said', message: 'b', warnings: [], elapsedMs: 6000 },
  ])
  expect(eventsOf(answer({ warnings: ['w'] }))).toStrictEqual([
    { type: 'site-said', warnings: ['w'], elapsedMs: 0 },
  ])
})

test('a change of a stage has its duration once its start and its end were seen', () => {
  const at = (state: string, name = 'Queue store') => answer({ stages: [{ name, state }] })
  const changed = eventsOf(at('not_started'), at('in_progress'), at('completed')).map(
    event => event as object,
  )
  expect(changed).toMatchObject([
    { changed: [{ from: null, state: 'not_started' }] },
    { changed: [{ from: 'not_started', state: 'in_progress' }] },
    { changed: [{ from: 'in_progress', state: 'completed', durationMs: 1000 }] },
    { type: 'anomaly' },
  ])
  expect(changed[1]).not.toHaveProperty('changed.0.durationMs')
  expect(eventsOf(at('not_started'), at('completed'))).toMatchObject([
    {},
    { changed: [{ from: 'not_started', state: 'completed', durationMs: 0 }] },
    { type: 'anomaly' },
  ])
  const unknown = eventsOf(
    at('not_started', 'Of tomorrow'),
    at('in_progress', 'Of tomorrow'),
    at('completed', 'Of tomorrow'),
  )
  expect(unknown[2]).not.toHaveProperty('changed.0.durationMs')
  const late = eventsOf(at('in_progress'), at('completed'))
  expect(late[1]).not.toHaveProperty('changed.0.durationMs')
})

test('undocumented values are reported unchanged', () => {
  const odd = (more: object) => eventsOf(answer({ kind: 'unrecognized', state: 'upside', ...more }))
  expect(odd({})).toStrictEqual([
    { type: 'anomaly', anomaly: { kind: 'unknown-state', state: 'upside' }, elapsedMs: 0 },
  ])
  expect(odd({ contradiction: ['x'] })).toStrictEqual([
    {
      type: 'anomaly',
      anomaly: { kind: 'unknown-state', state: 'upside', contradiction: ['x'] },
      elapsedMs: 0,
    },
  ])
})

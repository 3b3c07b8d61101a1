import { expect, test } from '@jest/globals'
import type { ApplyEvent } from '../../src/apply/event.js'
import { waitUntilReady } from '../../src/apply/wait-until-ready.js'
import type { Reply, ServiceFailure } from '../../src/client/failure.js'
import type { SiteReader } from '../../src/client/site-reader.js'
import type { Observation } from '../../src/plan/observation.js'
import { scriptedSite } from '../support/applying.js'
import { virtualClock } from '../support/virtual-clock.js'

const look = (observation: Partial<Observation> & Pick<Observation, 'kind'>): Reply<Observation> => ({
  ok: true,
  value: { warnings: [], stages: [], ...observation } as Observation,
})
const broken = (failure: ServiceFailure): Reply<Observation> => ({ ok: false, failure })
const ready = look({ kind: 'ready' })
const running = look({ kind: 'in-progress', stages: [{ name: 'Queue store', state: 'in_progress' }] })
const failed = look({ kind: 'failed', message: 'no nodes' })
const empty = look({ kind: 'not-configured' })
const odd = look({ kind: 'unrecognized', state: 'paused' } as never)
const trouble = broken({ kind: 'trouble', status: 503 })

async function waited(
  looks: readonly Reply<Observation>[],
  timeoutMs = 3_600_000,
  signal = new AbortController().signal,
) {
  const clock = virtualClock()
  const reader = scriptedSite(looks)
  const events: ApplyEvent[] = []
  const patience = { timeoutMs, pollMs: 5000 }
  const stream = waitUntilReady({ reader, clock, patience, random: () => 0.5, stages: [] }, signal)
  for (;;) {
    const step = await stream.next()
    if (step.done === true)
      return { end: step.value, events, looks: reader.calls.length, elapsedMs: clock.monotonicMs() }
    events.push(step.value)
  }
}

test.each([
  ['ready, said twice, is believed', [running, ready, ready], { kind: 'ready' }],
  ['one ready from a node that is ahead is not', [ready, running, ready, ready], { kind: 'ready' }],
  [
    'failed, said twice, is believed',
    [running, failed, failed],
    { kind: 'failed', observed: failed.ok && failed.value },
  ],
  ['a site that shows nothing for a minute was not begun', [empty], { kind: 'not-begun' }],
])('%s', async (_name, looks, end) => {
  expect((await waited(looks)).end).toEqual(end)
})

test('a single ready does not end the wait', async () => {
  expect((await waited([ready, running, ready, ready])).looks).toBe(4)
})

test('a single failure does not end the wait', async () => {
  expect((await waited([failed, running, ready, ready])).end).toEqual({ kind: 'ready' })
})

test('a state that nobody documented is waited for, and is the last word when the time is up', async () => {
  const { end, elapsedMs } = await waited([odd], 60_000)
  expect(end).toMatchObject({ kind: 'timeout', last: { kind: 'unrecognized', state: 'paused' } })
  expect(elapsedMs).toBeGreaterThanOrEqual(60_000)
})

test('a site in trouble is asked again until it is well, and the trouble is told once', async () => {
  const { end, events } = await waited([trouble, trouble, trouble, running, ready, ready])
  expect(end).toEqual({ kind: 'ready' })
  expect(events.filter(({ type }) => type === 'observation-failed')).toHaveLength(1)
})

test('another trouble is told anew', async () => {
  const lost = broken({ kind: 'no-answer', reason: 'UND_ERR_SOCKET' })
  const { events } = await waited([trouble, lost, trouble, ready, ready])
  expect(events.filter(({ type }) => type === 'observation-failed')).toHaveLength(3)
})

test('there is never silence for more than half a minute and a look', async () => {
  const { events } = await waited([running], 600_000)
  const times = events.map(event => ('elapsedMs' in event ? event.elapsedMs : 0))
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  expect(events.filter(({ type }) => type === 'heartbeat').length).toBeGreaterThan(15)
  expect(Math.max(...gaps)).toBeLessThanOrEqual(36_000)
})

test('a sign of life says that the site cannot be looked at, and nothing of it once it can', async () => {
  const { events } = await waited([running, ...Array(30).fill(trouble), running], 600_000)
  const signs = events.filter(event => event.type === 'heartbeat')
  expect(signs.at(0)).toMatchObject({ failure: expect.anything() })
  expect(signs.at(-1)).not.toHaveProperty('failure')
})

test('three hours of waiting end on time', async () => {
  const { end, elapsedMs } = await waited([running], 3 * 3_600_000)
  expect(end).toMatchObject({ kind: 'timeout', last: { kind: 'in-progress' } })
  expect(elapsedMs).toBeGreaterThanOrEqual(3 * 3_600_000)
  expect(elapsedMs).toBeLessThan(3 * 3_600_000 + 6000)
})

test('an interrupt ends the wait at once', async () => {
  const stop = new AbortController()
  stop.abort()
  expect(await waited([running], 1000, stop.signal)).toMatchObject({ end: { kind: 'interrupted' }, looks: 0 })
})

test('an interrupt during a look ends the wait after it', async () => {
  const stop = new AbortController()
  const reader: Pick<SiteReader, 'observe'> = {
    observe: async () => {
      stop.abort()
      return running
    },
  }
  const patience = { timeoutMs: 10_000, pollMs: 100 }
  const waiting = { reader, clock: virtualClock(), patience, random: () => 0.5, stages: [] }
  expect(await waitUntilReady(waiting, stop.signal).next()).toEqual({
    done: true,
    value: { kind: 'interrupted' },
  })
})

test('stages count as the same whatever their capitals', async () => {
  const before = look({ kind: 'in-progress', stages: [{ name: 'Usage Statistics', state: 'not_started' }] })
  const after = look({ kind: 'in-progress', stages: [{ name: 'Usage statistics', state: 'not_started' }] })
  const { events } = await waited([before, after, ready, ready])
  expect(events.filter(({ type }) => type === 'stages-changed')).toHaveLength(1)
})

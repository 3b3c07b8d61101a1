import type { Clock } from '../../src/apply/clock.js'
import type { ApplyEvent } from '../../src/apply/generated/event.js'
import type { WaitEnd } from '../../src/apply/outcome.js'
import { type WaitRequest, waitUntilReady } from '../../src/apply/wait-until-ready.js'
import type { Reply, ServiceFailure } from '../../src/client/failure.js'
import type { SiteReader } from '../../src/client/site-client.js'
import type { Observation, StageRecord } from '../../src/plan/observation.js'
import { scriptedSite } from '../support/applying.js'
import { virtualClock } from '../support/virtual-clock.js'

const look = (observation: Partial<Observation> & Pick<Observation, 'kind'>): Reply<Observation> => ({
  ok: true,
  value: { warnings: [], stages: [], ...observation } as Observation,
})
const broken = (failure: ServiceFailure): Reply<Observation> => ({ ok: false, error: failure })
const running = (...stages: readonly StageRecord[]) => look({ kind: 'in-progress', stages })
const queue = (state: string, lastUpdated?: number): StageRecord => ({
  name: 'Queue store',
  state,
  ...(lastUpdated !== undefined && { lastUpdated }),
})
const ready = look({ kind: 'ready' })
const going = running(queue('in_progress'))
const failed = look({ kind: 'failed', message: 'no nodes' })
const empty = look({ kind: 'not-configured' })
const silent = look({ kind: 'not-configured', implied: true } as never)
const odd = look({ kind: 'unrecognized', state: 'paused' } as never)
const unavailable = broken({ kind: 'trouble', status: 503 })
const locked = broken({ kind: 'unauthorized', status: 200, code: 499, message: 'Token Required.' })
const from = (version: string, kind: 'in-progress' | 'ready' | 'not-configured' = 'in-progress') =>
  look({ kind, version })

const built = (build: string) => look({ kind: 'in-progress', build })
const rounded = (version: string) => look({ kind: 'in-progress', version, isRounded: true })
const began = (kind: 'in-progress' | 'ready', state: string, startTime: number) =>
  look({ kind, stages: [{ name: 'Queue store', state, startTime }] })
const started = (startTime: number) => began('in-progress', 'in_progress', startTime)
const updated = (startTime: number, lastUpdated: number) =>
  running({ name: 'Queue store', state: 'in_progress', startTime, lastUpdated })
const undecodable = look({ kind: 'in-progress', malformed: ['status.message', 'info'] })

type Polls = readonly Reply<Observation>[]

async function waited(
  looks: Polls,
  timeoutMs = 3_600_000,
  { signal = new AbortController().signal, ...more }: Partial<WaitRequest> & { signal?: AbortSignal } = {},
) {
  const clock = virtualClock()
  const reader = scriptedSite(looks)
  const events: ApplyEvent[] = []
  const waiting = {
    reader,
    clock,
    waitOptions: { timeoutMs, pollMs: 5000 },
    random: () => 0.5,
    stages: [],
    ...more,
  }
  const stream = waitUntilReady(waiting, signal)
  for (;;) {
    const step = await stream.next()
    if (step.done === true)
      return { end: step.value, events, looks: reader.calls.length, elapsedMs: clock.monotonicMs() }
    events.push(step.value)
  }
}

/** Formats events as short texts: the time in seconds, the type, and the subject. */
const inShort = (events: readonly ApplyEvent[]) =>
  events.map(event => {
    const at = 'elapsedMs' in event ? `${event.elapsedMs / 1000} ` : ''
    switch (event.type) {
      case 'stages-changed':
        return `${at}${event.changed.map(({ state, from: was }) => `${was} > ${state}`).join(', ')}`
      case 'anomaly':
        return `${at}${event.anomaly.kind}`
      case 'site-said':
        return `${at}says ${event.message ?? ''}${event.warnings.map(text => `!${text}`).join('')}`
      default:
        return `${at}${event.type}`
    }
  })

const begun = 'configure-begun'
const isReady: WaitEnd = { kind: 'ready', timings: [] }
const lost = broken({ kind: 'no-answer', reason: 'UND_ERR_SOCKET' })
const gone = { kind: 'replaced', because: { kind: 'not-configured-any-more' } } as const
const paused = look({ kind: 'in-progress', stages: [queue('odd')] })
const closed = running(queue('completed'))
const broke = look({ kind: 'failed', stages: [queue('failed')] })

describe('polls are reported, and end the wait once their result is certain', () => {
  test.each<[string, Polls, WaitEnd, readonly string[]]>([
    ['ready in two polls', [going, ready, ready], isReady, [begun, '0 null > in_progress', '10 site-ready']],
    [
      'ready once, from a replica that is ahead',
      [ready, going, ready, ready],
      isReady,
      [begun, '5 null > in_progress', '5 site-went-back', '15 site-ready'],
    ],
    [
      'ready with failed polls in between',
      [ready, unavailable, ready],
      isReady,
      [begun, '5 observation-failed', '10 observation-restored', '10 site-ready'],
    ],
    [
      'failed in two polls',
      [going, failed, failed],
      { kind: 'failed', observed: (failed.ok && failed.value) as Observation },
      [begun, '0 null > in_progress', '5 says no nodes'],
    ],
    [
      'failed once',
      [failed, going, ready, ready],
      isReady,
      ['0 says no nodes', begun, '5 null > in_progress', '5 site-went-back', '15 site-ready'],
    ],
    [
      'a stage that failed, while the site continues and becomes ready',
      [going, running(queue('failed')), running(queue('failed')), ready],
      isReady,
      [begun, '0 null > in_progress', '5 in_progress > failed', '5 failed-stage', '20 site-ready'],
    ],
    [
      'a stage that was canceled once',
      [running(queue('CANCELLED')), ready],
      isReady,
      [begun, '0 null > CANCELLED', '10 site-ready'],
    ],
    [
      'a stage that is complete, in one way and then in another',
      [closed, running(queue('not_applicable')), ready],
      isReady,
      [
        begun,
        '0 null > completed',
        '0 not-ready-with-closed-stages',
        '5 completed > not_applicable',
        '15 site-ready',
      ],
    ],
    [
      'failed, with the stage that failed',
      [broke],
      { kind: 'failed', observed: (broke.ok && broke.value) as Observation },
      ['0 null > failed', begun],
    ],
    [
      'ready with open stages',
      [look({ kind: 'ready', stages: [queue('in_progress')] })],
      isReady,
      [begun, '0 null > in_progress', '0 ready-with-open-stages', '5 site-ready'],
    ],
    [
      'all stages complete, and not ready',
      [closed, closed, closed, ready],
      isReady,
      [begun, '0 null > completed', '0 not-ready-with-closed-stages', '20 site-ready'],
    ],
    [
      'a stage that goes back, and then the site',
      [closed, running(queue('not_started')), closed, running(queue('not_started')), empty, ready],
      isReady,
      [
        begun,
        '0 null > completed',
        '0 not-ready-with-closed-stages',
        '5 completed > not_started',
        '5 stage-went-back',
        '10 not_started > completed',
        '15 completed > not_started',
        '20 site-went-back',
        '30 site-ready',
      ],
    ],
    [
      'an undocumented state of a stage',
      [paused, paused, ready],
      isReady,
      [begun, '0 null > odd', '15 site-ready'],
    ],
    [
      'an undocumented state of the site',
      [odd, odd, ready],
      isReady,
      ['0 unknown-state', begun, '15 site-ready'],
    ],
    [
      'a root without a state, however long',
      [going, ...Array(30).fill(silent), ready],
      isReady,
      [
        begun,
        '0 null > in_progress',
        ...['30 heartbeat', '60 heartbeat', '90 heartbeat', '120 heartbeat', '150 heartbeat'],
        '160 site-ready',
      ],
    ],
    [
      'another build in two polls',
      [built('1'), built('1'), look({ kind: 'ready', build: '2' })],
      { kind: 'replaced', because: { kind: 'another-build', was: '1', is: '2' } },
      [begun, '10 another-build'],
    ],
    [
      'a build that is missing now and then',
      [built('1'), going, built('1'), going, ready],
      isReady,
      [begun, '5 null > in_progress', '25 site-ready'],
    ],
    [
      'one version in two spellings',
      [from('11.2'), from('11.2.0'), from('11.2'), from('11.2.0.0', 'ready')],
      isReady,
      [begun, '20 site-ready'],
    ],
    [
      'the version only from `currentVersion`, now and then',
      [
        from('11.3.0.5814'),
        rounded('11.3'),
        from('11.3.0.5814'),
        rounded('11.3'),
        from('11.3.0.5814', 'ready'),
      ],
      isReady,
      [begun, '25 site-ready'],
    ],
    [
      'another version only in `currentVersion`',
      [from('11.3.0.5814'), from('11.3.0.5814'), rounded('11.2')],
      { kind: 'replaced', because: { kind: 'another-version', was: '11.3.0.5814', is: '11.2' } },
      [begun, '10 another-version'],
    ],
    [
      'stages that began long before they were seen to begin',
      [started(5000), started(5000), began('ready', 'completed', 4), began('ready', 'completed', 4)],
      {
        kind: 'replaced',
        because: { kind: 'another-start', stage: 'Queue store', was: 5000, is: 4 },
      },
      [begun, '0 null > in_progress', '10 another-start'],
    ],
    [
      'a stage in progress that begins again',
      [started(5000), started(5000), started(9000), started(9000), began('ready', 'completed', 9000)],
      isReady,
      [begun, '0 null > in_progress', '20 in_progress > completed', '25 site-ready'],
    ],
    [
      'a stage that began later than seen, and before the site was last seen',
      [updated(5000, 20_000), updated(5000, 20_000), began('ready', 'completed', 9000)],
      {
        kind: 'replaced',
        because: { kind: 'another-start', stage: 'Queue store', was: 5000, is: 9000 },
      },
      [begun, '0 null > in_progress', '10 another-start'],
    ],
    [
      'a start time in only one response',
      [started(5000), started(5000), started(4), started(5000), began('ready', 'completed', 5000)],
      isReady,
      [begun, '0 null > in_progress', '10 another-start', '20 in_progress > completed', '25 site-ready'],
    ],
    [
      'parts that are not as documented, reported once',
      [undecodable, undecodable, ready],
      isReady,
      [begun, '0 malformed-parts', '15 site-ready'],
    ],
    [
      'no configuration for a minute',
      [empty],
      { kind: 'not-begun', isShown: true },
      ['30 heartbeat', '60 heartbeat'],
    ],
    [
      'a configuration that is gone for a minute',
      [going, empty],
      gone,
      [begun, '0 null > in_progress', '5 site-went-back', '35 heartbeat', '65 heartbeat'],
    ],
    [
      'a configuration that is gone for less than a minute',
      [going, ...Array(12).fill(empty), ready],
      isReady,
      [begun, '0 null > in_progress', '5 site-went-back', '35 heartbeat', '65 heartbeat', '70 site-ready'],
    ],
    [
      'another version in two polls',
      [from('11.2'), from('11.2'), from('11.1', 'ready'), from('11.1', 'ready')],
      { kind: 'replaced', because: { kind: 'another-version', was: '11.2', is: '11.1' } },
      [begun, '10 another-version'],
    ],
    [
      'another version in only the first poll',
      [from('11.1', 'ready'), from('11.2', 'ready'), from('11.2'), from('11.2', 'ready')],
      isReady,
      [begun, '5 another-version', '10 site-went-back', '20 site-ready'],
    ],
    [
      'another version in each of the first polls',
      [from('11.1'), from('11.2'), from('11.3'), from('11.3', 'ready')],
      isReady,
      [begun, '5 another-version', '10 another-version', '20 site-ready'],
    ],
    [
      'another version than was reported twice, after a different first one',
      [from('11.1'), from('11.2'), from('11.2'), from('11.3', 'ready')],
      { kind: 'replaced', because: { kind: 'another-version', was: '11.2', is: '11.3' } },
      [begun, '5 another-version', '15 another-version'],
    ],
    [
      'a version once, after an answer without one',
      [going, from('11.1'), from('11.2'), from('11.2', 'ready')],
      isReady,
      [begun, '0 null > in_progress', '10 another-version', '20 site-ready'],
    ],
    [
      'failed in only the first poll, by a site on which nothing was begun',
      [failed, empty],
      { kind: 'not-begun', isShown: true },
      ['0 says no nodes', '5 site-went-back', '35 heartbeat', '65 heartbeat'],
    ],
    [
      'another version now and then',
      [from('11.2'), from('11.2'), from('11.1', 'ready'), from('11.2'), from('11.1'), from('11.2', 'ready')],
      isReady,
      [begun, '10 another-version', '30 site-ready'],
    ],
    [
      'no valid token, for two minutes',
      [going, locked],
      { kind: 'not-allowed', failure: (!locked.ok && locked.error) as ServiceFailure, begun: true },
      [
        begun,
        '0 null > in_progress',
        '5 observation-failed',
        '35 heartbeat',
        '65 heartbeat',
        '95 heartbeat',
        '125 heartbeat',
      ],
    ],
    [
      'no valid token, for a while',
      [going, ...Array(5).fill(locked), ready],
      isReady,
      [
        begun,
        '0 null > in_progress',
        '5 observation-failed',
        '35 heartbeat',
        '65 heartbeat',
        '95 heartbeat',
        '125 heartbeat',
        '140 observation-restored',
        '145 site-ready',
      ],
    ],
    [
      'two kinds of failures',
      [unavailable, unavailable, lost, unavailable, ready],
      isReady,
      [
        '0 observation-failed',
        '15 observation-failed',
        '35 observation-failed',
        '65 heartbeat',
        '75 observation-restored',
        begun,
        '80 site-ready',
      ],
    ],
    [
      'messages and warnings, each once',
      [
        look({ kind: 'in-progress', message: 'Creating', warnings: ['slow'] }),
        look({ kind: 'in-progress', message: 'Creating', warnings: ['slow', 'old'] }),
        look({ kind: 'ready', message: 'Created', warnings: [] }),
      ],
      isReady,
      [begun, '0 says Creating!slow', '5 says !old', '10 says Created', '15 site-ready'],
    ],
    [
      'two stages of one name',
      [running(queue('completed'), queue('in_progress')), ready],
      isReady,
      [begun, '0 null > completed, null > in_progress', '10 site-ready'],
    ],
  ])('%s', async (_name, looks, end, events) => {
    const was = await waited(looks)
    expect(inShort(was.events)).toStrictEqual(events)
    expect(was.end).toStrictEqual(end)
  })
})

test('a configuration that is known to have begun is lost if the site shows none', async () => {
  expect((await waited([empty], 3_600_000, { begun: true })).end).toStrictEqual(gone)
})

test('a site that reports another version than two earlier polls is another site from the first poll on', async () => {
  const { end, looks } = await waited([from('11.1', 'ready')], 3_600_000, {
    marks: [{ version: '11.2' }, { version: '11.2' }],
  })
  expect(end).toMatchObject({ kind: 'replaced' })
  expect(looks).toBe(2)
})

test('open stages of a ready site are named, and a stage that an answer omits is kept', async () => {
  const store = (state: string): StageRecord => ({ name: 'Object store', state })
  const looks = [
    running(queue('in_progress'), store('not_started')),
    running(store('in_progress')),
    look({ kind: 'ready', stages: [queue('in_progress')] }),
  ]
  const { events } = await waited(looks)
  expect(events.filter(({ type }) => type === 'stages-changed').at(-1)).toStrictEqual({
    type: 'stages-changed',
    changed: [{ ...store('in_progress'), from: 'not_started' }],
    stages: [store('in_progress'), queue('in_progress')],
    elapsedMs: 5000,
  })
  const anomaly = { kind: 'ready-with-open-stages', stages: ['Queue store'] }
  expect(events).toContainEqual({ type: 'anomaly', anomaly, elapsedMs: 10_000 })
})

test.each([[ready], [failed]])('an end counts once two polls have reported it: %#', async end => {
  expect((await waited([end])).looks).toBe(2)
})

test.each([
  ['without a token', { isTokenless: true }, 0, 1],
  ['with an account that does not exist before the site is ready', { reason: 'account-rejected' }, 30, 32],
  ['with an expired token', {}, 2, 4],
] as const)('rejected polls %s: %j end the wait', async (_, facts, atLeast, below) => {
  const rejected = broken({ kind: 'unauthorized', status: 200, code: 499, message: 'Token', ...facts })
  const { end, elapsedMs } = await waited([rejected])
  expect(end.kind).toBe('not-allowed')
  expect(Math.floor(elapsedMs / 60_000)).toBeGreaterThanOrEqual(atLeast)
  expect(elapsedMs / 60_000).toBeLessThan(below)
})

test('without a valid token, progress is unknown unless it was seen before', async () => {
  expect((await waited([locked])).end).toMatchObject({ kind: 'not-allowed', begun: false })
  expect((await waited([going, locked])).end).toMatchObject({ kind: 'not-allowed', begun: true })
})

test('an undocumented state is the result when the time is up', async () => {
  const { end, elapsedMs } = await waited([odd], 60_000)
  expect(end).toMatchObject({
    kind: 'timeout',
    begun: false,
    last: { kind: 'unrecognized', state: 'paused' },
  })
  expect(elapsedMs).toBe(60_000)
})

test('for a site that never shows a state, the outcome of a request stays unknown', async () => {
  const { end, elapsedMs } = await waited([silent], 180_000)
  expect(end).toStrictEqual({ kind: 'timeout', last: undefined, begun: false, wasSilent: true })
  expect(elapsedMs).toBe(180_000)
})

test('after a response that is no acceptance, the wait for a site without a state ends early', async () => {
  const { end, elapsedMs } = await waited([silent], 1_800_000, { isAnswered: true })
  expect(end).toStrictEqual({ kind: 'not-begun', isShown: false })
  expect(elapsedMs).toBeGreaterThanOrEqual(120_000)
  expect(elapsedMs).toBeLessThan(200_000)
  const begins = await waited([silent, silent, going], 180_000, { isAnswered: true })
  expect(begins.end).toMatchObject({ kind: 'timeout', begun: true })
})

test('a stage that stays failed while the site continues is reported at once, and again after minutes', async () => {
  const { end, events } = await waited([going, running(queue('failed'))], 1_200_000)
  expect(end).toMatchObject({ kind: 'timeout', last: { kind: 'in-progress' } })
  expect(events.filter(({ type }) => type === 'anomaly')).toStrictEqual([
    { type: 'anomaly', anomaly: { kind: 'failed-stage', stage: 'Queue store', forMs: 0 }, elapsedMs: 5000 },
    {
      type: 'anomaly',
      anomaly: { kind: 'failed-stage', stage: 'Queue store', forMs: 300_000 },
      elapsedMs: 305_000,
    },
  ])
})

describe('a stage that does not move', () => {
  const still = Array(200).fill(running(queue('in_progress', 1)))

  test('is reported after a quarter of an hour, once, and when it moves again', async () => {
    const looks = [...still, running(queue('in_progress', 2)), ready, ready]
    const { events } = await waited(looks)
    expect(events.filter(({ type }) => type.startsWith('stage-'))).toStrictEqual([
      { type: 'stage-stalled', stage: 'Queue store', unmovedMs: 900_000, elapsedMs: 900_000 },
      { type: 'stage-moved', stage: 'Queue store', unmovedMs: 1_000_000, elapsedMs: 1_000_000 },
    ])
  })

  test('is reported when it ends', async () => {
    const { events } = await waited([...still, running(queue('completed', 2)), ready, ready])
    expect(events.filter(({ type }) => type.startsWith('stage-')).map(({ type }) => type)).toStrictEqual([
      'stage-stalled',
      'stage-moved',
    ])
  })

  test('counts from the first poll that shows it in progress', async () => {
    const { events } = await waited([running(queue('not_started', 1)), ...still], 1_000_000)
    expect(events).toContainEqual({
      type: 'stage-stalled',
      stage: 'Queue store',
      unmovedMs: 900_000,
      elapsedMs: 905_000,
    })
  })

  test('must be in progress', async () => {
    const { events } = await waited([running(queue('not_started', 1))], 7_200_000)
    expect(events.some(({ type }) => type === 'stage-stalled')).toBe(false)
  })

  test.each([-1, 0, 4e15])(
    'is timed by the local clock, whatever the clock of the service reports: %d',
    async lastUpdated => {
      const { events } = await waited([running(queue('in_progress', lastUpdated))], 1_000_000)
      expect(events).toContainEqual(expect.objectContaining({ type: 'stage-stalled', unmovedMs: 900_000 }))
    },
  )
})

describe('a suspended process', () => {
  /** A clock as on a laptop whose lid is closed during the third sleep. */
  const sleeping = (): Clock & { readonly sleeps: number[] } => {
    const clock = virtualClock()
    const sleeps: number[] = []
    return {
      ...clock,
      sleeps,
      sleep: async (milliseconds, signal) => {
        sleeps.push(milliseconds)
        await clock.sleep(milliseconds, signal)
        if (sleeps.length === 3) clock.pass(12 * 3_600_000)
      },
    }
  }

  test('continues where it was: its time is not up, and no stage has stalled', async () => {
    const looks = [...Array(6).fill(going), ready, ready]
    const { end, events } = await waited(looks, 3_600_000, { clock: sleeping() })
    expect(end).toMatchObject({ kind: 'ready' })
    expect(inShort(events)).toStrictEqual([
      begun,
      '0 null > in_progress',
      '15 stood-still',
      '30 heartbeat',
      '35 site-ready',
    ])
    expect(events).toContainEqual(
      expect.objectContaining({ anomaly: { kind: 'stood-still', ms: 12 * 3_600_000 } }),
    )
  })

  test('continues where it was after the machine slept during a poll', async () => {
    const clock = virtualClock()
    const site = scriptedSite([...Array(6).fill(going), ready, ready])
    const reader = {
      async observe(...args: Parameters<typeof site.observe>) {
        if (site.calls.length === 3) clock.pass(12 * 3_600_000)
        return site.observe(...args)
      },
    }
    const { end, events } = await waited([], 3_600_000, { clock, reader })
    expect(end).toMatchObject({ kind: 'ready' })
    const gap = { anomaly: { kind: 'stood-still', ms: 12 * 3_600_000 } }
    expect(events).toContainEqual(expect.objectContaining(gap))
    expect(events.some(({ type }) => type === 'stage-stalled')).toBe(false)
  })

  test.each([
    ['each poll takes half a minute', 30_000, 0],
    ['each sleep ends half a minute late', 0, 30_000],
  ])('is not assumed if %s: the time runs out as usual', async (_, pollTakesMs, lateMs) => {
    const clock = virtualClock()
    const observe = async () => {
      clock.pass(pollTakesMs)
      return going
    }
    const sleep: Clock['sleep'] = async (...asked) => {
      await clock.sleep(...asked)
      clock.pass(lateMs)
    }
    const { end, events } = await waited([], 600_000, { clock: { ...clock, sleep }, reader: { observe } })
    expect(end.kind).toBe('timeout')
    expect(events.map(({ type }) => type)).not.toContain('anomaly')
    expect(clock.monotonicMs()).toBeLessThanOrEqual(630_000)
  })

  test('does not give up a configuration sooner', async () => {
    expect(
      (await waited([going, empty, empty, empty, ready], 3_600_000, { clock: sleeping() })).end,
    ).toStrictEqual(isReady)
  })
})

describe('the time between polls', () => {
  test('grows while they fail, up to a minute, and is short again after a success', async () => {
    const times = await lookTimes([...Array(8).fill(unavailable), going, going, ready])
    expect(times).toStrictEqual([0, 5, 15, 35, 75, 135, 195, 255, 315, 320, 325, 330])
  })

  test.each([
    ['is the requested one', 90_000, 94.5],
    ['is at least a second, and at least that of the command line', 1, 5.25],
    ['is at most five minutes', 86_400_000, 315],
  ])('%s', async (_name, retryAfterMs, second) => {
    const busy = broken({ kind: 'trouble', status: 503, retryAfterMs })
    expect((await lookTimes([busy, ready]))[1]).toBeCloseTo(second, 5)
  })

  test.each([
    [0, 4.5],
    [1, 5.5],
  ])('is randomized: %d', async (random, second) => {
    expect((await lookTimes([going, ready], () => random))[1]).toBeCloseTo(second, 5)
  })

  async function lookTimes(looks: Polls, random = () => 0.5) {
    const clock = virtualClock()
    const site = scriptedSite(looks)
    const times: number[] = []
    const observe: SiteReader['observe'] = signal => {
      times.push(clock.monotonicMs() / 1000)
      return site.observe(signal)
    }
    await waited(looks, 3_600_000, { clock, random, reader: { observe } })
    return times
  }
})

test('events are at most half a minute apart, however long a pause the site requests', async () => {
  const busy = broken({ kind: 'trouble', status: 503, retryAfterMs: 86_400_000 })
  const { events } = await waited([going, busy], 3_000_000)
  const times = events.map(event => ('elapsedMs' in event ? event.elapsedMs : 0))
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  expect(events.filter(({ type }) => type === 'heartbeat').length).toBeGreaterThan(95)
  expect(Math.max(...gaps)).toBe(30_000)
})

test('a heartbeat reports that the site cannot be polled, until it can', async () => {
  const { events } = await waited([going, ...Array(8).fill(unavailable), going], 600_000)
  const signs = events.filter(event => event.type === 'heartbeat')
  expect(signs.at(2)).toMatchObject({ failure: expect.anything() })
  expect(signs.at(-1)).not.toHaveProperty('failure')
})

describe('a site whose messages keep changing', () => {
  const flood = (nth: number) =>
    look({
      kind: nth % 2 === 0 ? 'in-progress' : 'ready',
      message: `message ${nth}`,
      warnings: [`warning ${nth}`],
      stages: [{ name: `stage ${nth}`, state: `state ${nth}` }],
    })

  test('is reported a hundred times, with a hundred stages at most', async () => {
    const { events } = await waited(Array.from({ length: 700 }, (_, nth) => flood(nth)))
    const counted = (type: ApplyEvent['type']) => events.filter(event => event.type === type).length
    expect(counted('site-said')).toBeLessThanOrEqual(100)
    expect(counted('anomaly')).toBeLessThanOrEqual(100)
    const stages = events.flatMap(event => (event.type === 'stages-changed' ? [event.stages.length] : []))
    expect(Math.max(...stages)).toBe(100)
  })

  test('is limited in its failures as well', async () => {
    const flapping = [...Array(300).fill([unavailable, lost, going]).flat()]
    const { events } = await waited(flapping, 1_800_000)
    expect(events.filter(({ type }) => type === 'observation-failed')).toHaveLength(20)
  })
})

describe('the duration of a stage', () => {
  const at = (...states: readonly string[]) =>
    running(...states.map((state, nth) => ({ name: ['Queue store', 'Object store'][nth] ?? '', state })))
  const timings = [
    { stage: 'Queue store', beganMs: 5000, endedMs: 15_000 },
    { stage: 'Object store', beganMs: 15_000, endedMs: 20_000 },
  ]
  const course = [
    at('not_started', 'not_started'),
    at('in_progress', 'not_started'),
    at('in_progress', 'not_started'),
    at('completed', 'in_progress'),
    at('completed', 'completed'),
    ready,
  ]

  test('is reported for each stage that was seen from its beginning, and serves later waits', async () => {
    const { end, events } = await waited(course)
    expect(end).toStrictEqual({ kind: 'ready', timings })
    const took = events.flatMap(event =>
      event.type === 'stages-changed' ? event.changed.flatMap(({ durationMs = [] }) => durationMs) : [],
    )
    expect(took).toStrictEqual([10_000, 5000])
  })

  test('is not reported for a stage that begins again', async () => {
    const { events } = await waited([...course.slice(0, 4), at('in_progress', 'in_progress'), ready])
    const again = events.find(event => event.type === 'stages-changed' && event.elapsedMs === 20_000)
    expect(again).toMatchObject({ changed: [{ from: 'completed' }] })
    expect(again).not.toHaveProperty('changed.0.durationMs')
  })

  test('is unknown for a stage that was already in progress', async () => {
    expect((await waited(course.slice(2))).end).toMatchObject({ timings: [{ stage: 'Object store' }] })
  })

  test('gives a later wait an estimate of the time left', async () => {
    const { events } = await waited(course, 3_600_000, { estimate: timings })
    const left = events.flatMap(event => (event.type === 'stages-changed' ? [event.leftMs] : []))
    expect(left).toStrictEqual([undefined, undefined, 5000, undefined])
  })

  test('counts in the estimate from the last end of a stage on', async () => {
    const course = ['not_started', 'in_progress', 'completed'].map(state => at(state, 'not_started'))
    const looks = [...course, at('completed', 'in_progress'), ready]
    const estimate = [
      { stage: 'Queue store', beganMs: 0, endedMs: 5000 },
      { stage: 'Object store', beganMs: 5000, endedMs: 65_000 },
    ]
    const { events } = await waited(looks, 3_600_000, { estimate })
    const left = events.flatMap(event => (event.type === 'stages-changed' ? [event.leftMs] : []))
    expect(left).toStrictEqual([undefined, undefined, 60_000, 55_000])
  })
})

test('three hours of waiting end on time', async () => {
  const { end, elapsedMs } = await waited([going], 3 * 3_600_000)
  expect(end).toMatchObject({ kind: 'timeout', begun: true, last: { kind: 'in-progress' } })
  expect(elapsedMs).toBe(3 * 3_600_000)
})

test('an interrupt ends the wait at once', async () => {
  const stop = new AbortController()
  stop.abort()
  expect(await waited([going], 1000, { signal: stop.signal })).toMatchObject({
    end: { kind: 'interrupted', begun: false },
    looks: 0,
  })
})

test('an interrupt during a poll ends the wait after it', async () => {
  const stop = new AbortController()
  const reader: Pick<SiteReader, 'observe'> = {
    observe: async () => {
      stop.abort()
      return going
    },
  }
  const { end, events } = await waited([], 10_000, { reader, signal: stop.signal })
  expect(end).toStrictEqual({ kind: 'interrupted', begun: false })
  expect(events).toStrictEqual([])
})

test('stages are the same whatever their capitals', async () => {
  const before = running({ name: 'Usage Statistics', state: 'not_started' })
  const after = running({ name: 'Usage statistics', state: 'not_started' })
  const { events } = await waited([before, after, ready, ready])
  expect(events.filter(({ type }) => type === 'stages-changed')).toHaveLength(1)
})

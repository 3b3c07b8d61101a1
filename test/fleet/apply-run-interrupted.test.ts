import type { Phase } from '../../packages/fleet/src/model/run.js'
import type { RunLog, RunPorts } from '../../packages/fleet/src/workflow/run-ports.js'
import type { Clock } from '../../src/apply/clock.js'
import { Died } from '../support/fleet-run.js'
import { aFleetSite } from '../support/fleet-site.js'

/** A run log that cancels the run when a phase begins. */
function askedIn(phase: Phase, runLog: RunLog, stop: AbortController): RunLog {
  return {
    ...runLog,
    async progress(progress) {
      if (progress.phase === phase) stop.abort()
      await runLog.progress(progress)
    },
  }
}

describe('a run that a user cancels', () => {
  const table: readonly (readonly [Phase, RegExp, readonly [number, number]])[] = [
    ['observe', /nothing was sent/, [0, 0]],
    ['configure', /nothing was sent/, [0, 0]],
    ['wait', /continues on the service/, [1, 0]],
    ['update', /continues on the service/, [1, 0]],
  ]
  test.each(table)('before the phase %s sends nothing more', async (phase, message, counted) => {
    const { aRun, accepted } = await aFleetSite()
    const { worker, phases, diary } = aRun()
    const stop = new AbortController()
    expect(await worker({ runLog: askedIn(phase, diary, stop), cancelled: stop.signal })).toEqual({
      state: 'cancelled',
      exitCode: 130,
      message: expect.stringMatching(message),
    })
    expect(accepted()).toEqual(counted)
    expect(phases().at(-1)).toBe(phase)
  })

  test('during a wait stops at once', async () => {
    const stop = new AbortController()
    let looks = 0
    const { aRun, accepted, clock } = await aFleetSite([], {
      inspect: () => {
        looks += 1
        if (looks === 10) stop.abort()
      },
    })
    const begin = clock.monotonicMs()
    const { worker } = aRun()
    expect(await worker({ cancelled: stop.signal })).toMatchObject({ state: 'cancelled', exitCode: 130 })
    expect(accepted()).toEqual([1, 0])
    expect(looks).toBeLessThan(13)
    expect(clock.monotonicMs() - begin).toBeLessThan(120_000)
  })

  test('while its request is in flight waits for the response', async () => {
    const stop = new AbortController()
    const { aRun, accepted, request, clock } = await aFleetSite([], {
      inspect({ received }) {
        if (received.request.target.operation === 'configure') stop.abort()
      },
    })
    // The remaining time of the request passes only if there is no response.
    const sleep: Clock['sleep'] = (ms, signal) =>
      ms === 30_000
        ? new Promise(resolve => signal.addEventListener('abort', () => resolve()))
        : clock.sleep(ms, signal)
    const ports = { cancelled: stop.signal, clock: { ...clock, sleep } }
    expect(await aRun().worker(ports)).toMatchObject({ state: 'cancelled' })
    expect(accepted()).toEqual([1, 0])
    const newest = await request.state.series(request.url ?? '').newest()
    expect(newest.ok && JSON.parse(newest.value?.text ?? '')).toMatchObject({
      submission: { state: 'acknowledged' },
    })
    expect(await aRun({ generation: 2 }).worker()).toMatchObject({ state: 'done' })
    expect(accepted()).toEqual([1, 1])
  })

  test('while the outcome of its request is unknown leaves it to an operator', async () => {
    const stop = new AbortController()
    const { aRun, accepted } = await aFleetSite(['configure=drop-before'])
    const { worker, diary } = aRun()
    const runLog = askedIn('wait', diary, stop)
    expect(await worker({ runLog, cancelled: stop.signal })).toMatchObject({
      state: 'ambiguous',
      exitCode: 4,
      message: expect.stringContaining('cancelled before the site showed a state'),
    })
    expect(accepted()).toEqual([0, 0])
  })

  test('during a pause before a retry stops at once', async () => {
    const stop = new AbortController()
    const { aRun, clock } = await aFleetSite(['root=status:503'])
    const signals: boolean[] = []
    const sleep: Clock['sleep'] = async (_, signal) => {
      stop.abort()
      signals.push(signal.aborted)
    }
    const ports = { clock: { ...clock, sleep }, cancelled: stop.signal }
    expect(await aRun().worker(ports)).toMatchObject({ state: 'cancelled' })
    expect(signals).toEqual([true])
  })

  test('before a worker starts it never begins', async () => {
    const { aRun, emulator } = await aFleetSite()
    const cancelled = AbortSignal.abort()
    expect(await aRun().worker({ cancelled })).toMatchObject({ state: 'cancelled' })
    expect(emulator.world().counters.root.received).toBe(0)
  })

  test('after its worker died and the outcome of its request is unknown is left to an operator', async () => {
    const { aRun } = await aFleetSite(['configure=drop-before'])
    const { worker, diary } = aRun()
    const leaving = new AbortController()
    await worker({ runLog: askedIn('wait', diary, leaving), leaving: leaving.signal })
    expect(await worker({ cancelled: AbortSignal.abort() })).toMatchObject({
      state: 'ambiguous',
      exitCode: 4,
    })
  })

  test('and submits again continues where it was', async () => {
    const stop = new AbortController()
    const { aRun, accepted } = await aFleetSite()
    const { worker, diary } = aRun()
    await worker({ runLog: askedIn('wait', diary, stop), cancelled: stop.signal })
    expect(await aRun({ generation: 2 }).worker()).toMatchObject({ state: 'done' })
    expect(accepted()).toEqual([1, 1])
  })
})

describe('a worker that stops', () => {
  test('during a wait ends no run, and the next worker continues it', async () => {
    const leaving = new AbortController()
    let looks = 0
    const { aRun, accepted } = await aFleetSite([], {
      inspect: () => {
        looks += 1
        if (looks === 10) leaving.abort()
      },
    })
    const { worker, diary, phases } = aRun()
    expect(await worker({ leaving: leaving.signal })).toBeUndefined()
    expect(diary.written.ends).toEqual([])
    expect(await worker()).toMatchObject({ state: 'done' })
    expect(accepted()).toEqual([1, 1])
    expect(phases()).toEqual(['observe', 'configure', 'wait', 'observe', 'wait', 'update'])
  })

  test.each([
    ['rejects the token', 'root@11-12=error:498,message:No.', /authentication failed.*; retrying in 1m/],
    ['is unavailable', 'root@11-12=status:503', /503.*; retrying in 1m/],
    ['shows an unknown state', 'site@Configuration store+1m=state:paused', /paused.*; retrying in 1m/],
  ])('leaves a site that %s for a moment, and the next worker polls it again', async (_, fault, message) => {
    const leaving = new AbortController()
    let polls = 0
    const { aRun, accepted } = await aFleetSite([fault], {
      inspect({ received }) {
        if (received.request.target.operation === 'root') polls += 1
        if (polls === 10) leaving.abort()
      },
    })
    const { worker, diary } = aRun()
    expect(await worker({ leaving: leaving.signal })).toBeUndefined()
    expect(await worker()).toMatchObject({ state: 'done' })
    const [retry] = diary.written.notes.filter(({ type }) => type === 'retry')
    expect(retry?.message).toMatch(message)
    expect(accepted()).toEqual([1, 1])
  })

  const never = 'root@5-9999=status:503'
  const lost = 'configure=drop-before'
  test.each([
    ['never responds, after it accepted the request', [never], 'unfinished 3', /continues on the service/, 2],
    ['never responds, and may have the request', [lost, never], 'ambiguous 4', /discard-intent/, 2],
    [
      'rejects the token, and may have the request',
      [lost, 'root@5-9999=error:498,message:No.'],
      'ambiguous 4',
      /discard-intent/,
      1,
    ],
    [
      'rejects the token, after it accepted the request',
      ['root@5-9999=error:498,message:No.'],
      'refused 77',
      /continues on the service/,
      1,
    ],
    [
      'rejects the token after a pause',
      ['root@5-8=status:503', 'root@9-9999=error:498'],
      'refused 77',
      /a valid token is required.*tried 9 times/,
      1,
    ],
  ] as const)('leaves a site that %s', async (_, faults, ended, message, hours) => {
    const leaving = new AbortController()
    let polls = 0
    const { aRun, clock } = await aFleetSite(faults, {
      inspect({ received }) {
        if (received.request.target.operation === 'root') polls += 1
        if (polls === 4) leaving.abort()
      },
    })
    const { worker } = aRun()
    expect(await worker({ leaving: leaving.signal })).toBeUndefined()
    const begin = clock.monotonicMs()
    const end = await worker()
    expect(`${end?.state} ${end?.exitCode}`).toBe(ended)
    expect(end?.message).toMatch(message)
    expect(clock.monotonicMs() - begin).toBeGreaterThan(hours * 3_600_000)
  })

  test("or died leaves the next worker the rest of the site's time", async () => {
    const { aRun, clock } = await aFleetSite(['site@Object store=stall'], { stageMs: 1000 })
    const begin = clock.monotonicMs()
    const [startedAt, changedAt] = [0, 50 * 60_000]
    const end = await aRun({ timeoutMs: 60 * 60_000, startedAt, changedAt }).worker()
    expect(end).toMatchObject({ state: 'unfinished', message: expect.stringContaining('timed out') })
    expect(clock.monotonicMs() - begin).toBeLessThan(12 * 60_000)
  })

  test.each([
    [50, [1, 0], /timed out/],
    [61, [0, 0], /the time limit has passed; nothing was sent/],
  ] as const)('or is busy for %i minutes sends within an hour', async (minutes, counted, message) => {
    const { aRun, accepted, clock } = await aFleetSite(['site@Object store=stall'], { stageMs: 1000 })
    const begin = clock.monotonicMs()
    const inTurn: RunPorts['inTurn'] = async (what, work) => {
      if (what === 'start') clock.pass(minutes * 60_000)
      return work()
    }
    const end = await aRun({ timeoutMs: 60 * 60_000 }).worker({ inTurn })
    expect(end).toMatchObject({ state: 'unfinished', exitCode: 3, message: expect.stringMatching(message) })
    expect(accepted()).toEqual(counted)
    expect(clock.monotonicMs() - begin).toBeLessThan(62 * 60_000)
  })

  test('or died leaves the number of retries, which continues', async () => {
    const { aRun } = await aFleetSite(['root@1=status:503'], { stageMs: 1000 })
    const { worker, diary } = aRun({ retries: 3 })
    await worker()
    expect(diary.written.progress).toContainEqual(expect.objectContaining({ retries: 4 }))
  })
})

const sites: readonly (readonly [
  what: string,
  faults: readonly string[],
  end: string,
  accepted: readonly [number, number],
])[] = [
  ['a new site', [], 'done', [1, 1]],
  ['a lost response', ['configure=drop-after'], 'done', [1, 1]],
  ['a lost request', ['configure=drop-before'], 'ambiguous', [0, 0]],
  ['a service that is unavailable for a while', ['root@1=status:503'], 'done', [1, 1]],
]

test.each(sites)(
  '%s: wherever its worker dies, the next one leads to the same end',
  async (_, faults, state, counted) => {
    const whole = (await aFleetSite(faults, { stageMs: 1000 })).aRun().worker()
    await whole
    expect(whole.calls()).toBeGreaterThan(10)
    for (let death = 0; death < whole.calls(); death += 1) {
      const { aRun, accepted, emulator } = await aFleetSite(faults, { stageMs: 1000 })
      const { worker, diary } = aRun()
      await expect(worker({}, death)).rejects.toThrow(Died)
      const at = `death at call ${death}`
      expect([at, (await worker())?.state]).toEqual([at, state])
      expect([at, ...accepted()]).toEqual([at, ...counted])
      expect(emulator.world().counters.configure.received).toBe(1)
      expect(diary.written.ends.at(-1)).toMatchObject({ state })
    }
  },
)

test('each worker dies one call later than the one before, and the site is configured once', async () => {
  const { aRun, accepted, emulator } = await aFleetSite([], { stageMs: 1000 })
  const { worker } = aRun()
  for (let death = 0; ; death += 1) {
    const end = await worker({}, death).catch((error: unknown) => error)
    if (end instanceof Died) continue
    expect(end).toMatchObject({ state: 'done' })
    break
  }
  expect(accepted()).toEqual([1, 1])
  expect(emulator.world().counters.configure.received).toBe(1)
})

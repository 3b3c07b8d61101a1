import type { WorkflowSteps } from '../../packages/fleet/src/workflow/run-ports.js'
import type { Clock } from '../../src/apply/clock.js'
import { Died } from '../support/fleet-run.js'
import { aFleetSite, closeSites } from '../support/fleet-site.js'
import { removeTemporaryFolders } from '../support/temporary-folder.js'

afterEach(async () => {
  await closeSites()
  await removeTemporaryFolders()
})

/** Asks for the end of the run when a step is about to begin. */
function askedAt(steps: WorkflowSteps, at: number, stop: AbortController): WorkflowSteps {
  let number = 0
  return {
    ...steps,
    run(name, step) {
      if (number === at) stop.abort()
      number += 1
      return steps.run(name, step)
    },
  }
}

describe('a run that a person ends', () => {
  const table: readonly (readonly [number, string, RegExp, readonly [number, number]])[] = [
    [0, 'to look', /nothing was sent/, [0, 0]],
    [1, 'to configure', /nothing was sent/, [0, 0]],
    [2, 'to wait', /continues on the service/, [1, 0]],
    [3, 'to wait on', /continues on the service/, [1, 0]],
    [5, 'to update', /continues on the service/, [1, 0]],
  ]
  test.each(table)('before step %d, %s, sends nothing more', async (step, _, message, counted) => {
    const { aRun, accepted } = await aFleetSite()
    const { worker, engine } = aRun()
    const stop = new AbortController()
    const steps = askedAt(engine.steps(), step, stop)
    expect(await worker({ steps, cancelled: stop.signal })).toEqual({
      state: 'cancelled',
      exitCode: 130,
      message: expect.stringMatching(message),
    })
    expect(accepted()).toEqual(counted)
    expect(engine.kept.length).toBe(step + 1)
  })

  test('in the middle of a wait stops at once', async () => {
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
    expect(clock.monotonicMs() - begin).toBeLessThan(90_000)
  })

  test('while its request is under way waits for the answer', async () => {
    const stop = new AbortController()
    const { aRun, accepted, request, clock } = await aFleetSite([], {
      inspect({ received }) {
        if (received.request.target.operation === 'configure') stop.abort()
      },
    })
    // The time that an answer still has does not pass before it is there.
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

  test('while nobody knows what came of its request leaves it to an operator', async () => {
    const stop = new AbortController()
    const { aRun, accepted } = await aFleetSite(['configure=drop-before'])
    const { worker, engine } = aRun()
    const steps = askedAt(engine.steps(), 2, stop)
    expect(await worker({ steps, cancelled: stop.signal })).toMatchObject({
      state: 'ambiguous',
      exitCode: 4,
      message: expect.stringContaining('cancelled before the site showed a state'),
    })
    expect(accepted()).toEqual([0, 0])
  })

  test('while it waits to try again is not kept waiting', async () => {
    const stop = new AbortController()
    const { aRun } = await aFleetSite(['root=status:503'])
    const { worker, engine } = aRun()
    const kept = engine.steps()
    const signals: boolean[] = []
    const steps: WorkflowSteps = {
      ...kept,
      async sleep(_, signal) {
        stop.abort()
        signals.push(signal.aborted)
      },
    }
    expect(await worker({ steps, cancelled: stop.signal })).toMatchObject({ state: 'cancelled' })
    expect(signals).toEqual([true])
  })

  test('before a worker has it is not begun', async () => {
    const { aRun, emulator } = await aFleetSite()
    const { worker, diary } = aRun()
    const start = async () => 'cancelled' as const
    expect(await worker({ runLog: { ...diary, start } })).toMatchObject({ state: 'cancelled' })
    expect(emulator.world().counters.root.received).toBe(0)
  })

  test('and is submitted again goes on where it was', async () => {
    const stop = new AbortController()
    const { aRun, accepted } = await aFleetSite()
    const { worker, engine } = aRun()
    await worker({ steps: askedAt(engine.steps(), 3, stop), cancelled: stop.signal })
    expect(await aRun({ generation: 2 }).worker()).toMatchObject({ state: 'done' })
    expect(accepted()).toEqual([1, 1])
  })
})

describe('a worker that leaves', () => {
  test('in the middle of a wait ends nothing, and the next one goes on', async () => {
    const leaving = new AbortController()
    let looks = 0
    const { aRun, accepted } = await aFleetSite([], {
      inspect: () => {
        looks += 1
        if (looks === 10) leaving.abort()
      },
    })
    const { worker, engine, diary, names } = aRun()
    const kept = engine.steps()
    const left = worker({
      leaving: leaving.signal,
      steps: {
        ...kept,
        async run(name, step) {
          if (leaving.signal.aborted) throw new Died()
          return kept.run(name, step)
        },
      },
    })
    await expect(left).rejects.toThrow(Died)
    expect(diary.written.ends).toEqual([])
    expect(await worker()).toMatchObject({ state: 'done' })
    expect(accepted()).toEqual([1, 1])
    expect(new Set(names())).toEqual(new Set(['observe', 'configure', 'wait', 'update']))
  })
})

const sites: readonly (readonly [
  what: string,
  faults: readonly string[],
  end: string,
  accepted: readonly [number, number],
])[] = [
  ['a fresh site', [], 'done', [1, 1]],
  ['an answer that was lost', ['configure=drop-after'], 'done', [1, 1]],
  ['a request that was lost', ['configure=drop-before'], 'ambiguous', [0, 0]],
  ['a service in trouble for a while', ['root@1=status:503'], 'done', [1, 1]],
]

test.each(sites)(
  '%s: whichever worker dies at whichever step, the next one brings it to the same end',
  async (_, faults, state, counted) => {
    const whole = await aFleetSite(faults, { stageMs: 1000 })
    const run = whole.aRun()
    await run.worker()
    expect(run.engine.kept.length).toBeGreaterThan(2)
    for (const [step] of run.engine.kept.entries())
      for (const when of faults.length === 0 ? (['unkept', 'kept'] as const) : (['unkept'] as const)) {
        const { aRun, accepted, emulator } = await aFleetSite(faults, { stageMs: 1000 })
        const { worker, diary } = aRun()
        await expect(worker({}, { step, when })).rejects.toThrow(Died)
        const at = `death ${when} step ${step}`
        expect([at, (await worker()).state]).toEqual([at, state])
        expect([at, ...accepted()]).toEqual([at, ...counted])
        expect(emulator.world().counters.configure.received).toBe(1)
        expect(diary.written.ends.at(-1)).toMatchObject({ state })
      }
  },
)

test('worker after worker dies, each one step further, and the site is configured once', async () => {
  const { aRun, accepted } = await aFleetSite([], { stageMs: 1000 })
  const { worker, engine } = aRun()
  for (;;) {
    const step = engine.kept.length
    const end = await worker({}, { step, when: 'kept' }).catch((error: unknown) => error)
    if (end instanceof Died) continue
    expect(end).toMatchObject({ state: 'done' })
    break
  }
  expect(engine.kept.length).toBe(4)
  expect(accepted()).toEqual([1, 1])
})

test('a step that was done and not kept is done again by who finds the site as it is', async () => {
  const { aRun, accepted, emulator } = await aFleetSite([], { stageMs: 1000 })
  const { worker, names } = aRun()
  for (const _ of [1, 2, 3]) await expect(worker({}, { step: 1, when: 'unkept' })).rejects.toThrow(Died)
  expect(await worker()).toMatchObject({ state: 'done' })
  expect(names()).toEqual(['observe', 'configure', 'wait', 'update'])
  expect(accepted()).toEqual([1, 1])
  expect(emulator.world().counters.configure.received).toBe(1)
})

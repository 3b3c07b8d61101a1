import { createRunReporter } from '../../packages/fleet/src/workflow/run-reporter.js'
import type { ApplyEvent } from '../../src/apply/generated/event.js'
import { diaryInMemory } from '../support/fleet-run.js'
import { virtualClock } from '../support/virtual-clock.js'

const stages = (state: string): ApplyEvent => ({
  type: 'stages-changed',
  changed: [{ name: 'Queue store', state, from: null }],
  stages: [{ name: 'Queue store', state }],
  elapsedMs: 0,
})
const said = (...warnings: readonly string[]): ApplyEvent => ({ type: 'site-said', warnings, elapsedMs: 0 })

function aTeller(warnings: readonly string[] = []) {
  const clock = virtualClock()
  const diary = diaryInMemory()
  return { clock, diary, told: createRunReporter(diary, clock, { warnings }) }
}

test('events are written at most once a second, and none is lost', async () => {
  const { clock, diary, told } = aTeller()
  for (let look = 0; look < 20; look += 1) {
    await told.report(stages(`state_${look}`))
    clock.pass(100)
  }
  expect(diary.written.progress.length).toBe(2)
  await told.flush()
  expect(diary.written.progress.length).toBe(3)
  expect(diary.written.progress.at(-1)?.stages).toEqual([{ name: 'Queue store', state: 'state_19' }])
  expect(diary.written.notes.length).toBe(20)
})

test('a heartbeat is not written by itself', async () => {
  const { clock, diary, told } = aTeller()
  clock.pass(60_000)
  await told.report({ type: 'heartbeat', stages: [], elapsedMs: 60_000 })
  expect(diary.written).toEqual({ progress: [], notes: [], ends: [] })
})

test('nothing is written between the intent and the request', async () => {
  const { clock, diary, told } = aTeller()
  clock.pass(60_000)
  await told.report({ type: 'intent-written', generation: 1 })
  expect(diary.written.notes).toEqual([])
  await told.report({ type: 'configure-accepted' })
  expect(diary.written.notes.map(({ type }) => type)).toEqual(['intent-written', 'configure-accepted'])
})

test('a warning is written once, even if another worker wrote it', async () => {
  const { diary, told } = aTeller(['an old one'])
  await told.report(said('an old one'))
  await told.report(said('an old one', 'a new one'))
  await told.report(said('a new one'))
  await told.flush()
  expect(diary.written.notes).toEqual([{ type: 'site-said', message: 'the site warns: a new one' }])
  expect(Object.assign({}, ...diary.written.progress)).toEqual({ warnings: ['an old one', 'a new one'] })
})

test('a run log that cannot be written stops nothing, and is written later', async () => {
  let isAway = true
  const { diary, told } = aTeller()
  const add = diary.add
  Object.assign(diary, {
    async add(notes: Parameters<typeof add>[0]) {
      if (isAway) throw new Error('away')
      await add(notes)
    },
  })
  await told.report(stages('in_progress'))
  isAway = false
  await told.report(stages('completed'))
  await told.flush()
  expect(diary.written.notes.length).toBe(2)
})

test('texts of the service are escaped and truncated', async () => {
  const { diary, told } = aTeller()
  const name = `\u001b[2J${'x'.repeat(5000)}`
  await told.report({ type: 'stages-changed', changed: [], stages: [{ name, state: name }], elapsedMs: 0 })
  const text = JSON.stringify(diary.written.progress)
  expect(text.length).toBeLessThan(400)
  expect(text).not.toContain('\\u001b')
})

import { stageNames } from '../../../src/contract/stages.js'
import { computeDurations } from '../../../src/emulator/service/durations.js'
import { computeTimeline } from '../../../src/emulator/service/timeline.js'

const begunAt = 1_000_000
const durations = computeDurations(100)
const at = (elapsedMs: number) => computeTimeline(begunAt, begunAt + elapsedMs, durations)
const state = (elapsedMs: number, name: string) => at(elapsedMs).stages.find(stage => stage.name === name)

test('a timeline lists the fourteen stages in the order of the document', () => {
  expect(at(0).stages.map(stage => stage.name)).toEqual(stageNames)
})

test.each([
  { elapsedMs: -1, overall: 'in_progress', running: [], completed: 0 },
  { elapsedMs: 0, overall: 'in_progress', running: ['License validation'], completed: 0 },
  { elapsedMs: 99, overall: 'in_progress', running: ['License validation'], completed: 0 },
  { elapsedMs: 100, overall: 'in_progress', running: ['Configuration store'], completed: 1 },
  { elapsedMs: 300, overall: 'in_progress', running: ['Queue store'], completed: 3 },
  { elapsedMs: 1299, overall: 'in_progress', running: ['Pod replicas'], completed: 12 },
  { elapsedMs: 1300, overall: 'ready', running: [], completed: 13 },
  { elapsedMs: 1e12, overall: 'ready', running: [], completed: 13 },
])('after $elapsedMs ms $completed stages are completed and the site is $overall', row => {
  const { state, stages } = at(row.elapsedMs)
  expect(state).toBe(row.overall)
  expect(stages.filter(stage => stage.state === 'in_progress').map(stage => stage.name)).toEqual(row.running)
  expect(stages.filter(stage => stage.state === 'completed')).toHaveLength(row.completed)
})

test('a stage starts at 0 until it has begun, and is last updated when its state changed', () => {
  expect(state(99, 'Configuration store')).toEqual({
    name: 'Configuration store',
    state: 'not_started',
    lastUpdated: begunAt,
    startTime: 0,
  })
  expect(state(150, 'Configuration store')).toEqual({
    name: 'Configuration store',
    state: 'in_progress',
    lastUpdated: begunAt + 100,
    startTime: begunAt + 100,
  })
  expect(state(200, 'Configuration store')).toEqual({
    name: 'Configuration store',
    state: 'completed',
    lastUpdated: begunAt + 200,
    startTime: begunAt + 100,
  })
})

test.each([0, 650, 1300])(
  'cloud native storage does not apply, also %d ms after the beginning',
  elapsedMs => {
    expect(state(elapsedMs, 'Cloud Native Storage')).toMatchObject({ state: 'not_applicable', startTime: 0 })
  },
)

test('stages never go back', () => {
  const rank = { not_started: 0, not_applicable: 0, in_progress: 1, completed: 2 }
  const ranks = Array.from({ length: 150 }, (_, step) => at(step * 10).stages.map(stage => rank[stage.state]))
  for (const [index, later] of ranks.slice(1).entries()) {
    const earlier = ranks[index] ?? []
    expect(later.every((value, stage) => value >= (earlier[stage] ?? 0))).toBe(true)
  }
})

test('stages without a duration are completed at once', () => {
  expect(computeTimeline(begunAt, begunAt, computeDurations(0)).state).toBe('ready')
})

test('times are whole milliseconds even when a stage takes a part of one', () => {
  const { stages } = computeTimeline(begunAt + 0.5, begunAt + 10, computeDurations(0.3))
  for (const stage of stages) {
    expect(Number.isInteger(stage.lastUpdated) && Number.isInteger(stage.startTime)).toBe(true)
  }
})

import { stripVTControlCharacters } from 'node:util'
import type { ApplyEvent } from '../../src/apply/generated/event.js'
import { stageNames } from '../../src/contract/responses.js'
import { emptyView, formatView, updateView } from '../../src/report/live-view.js'
import { coloured, countColumns, plain } from '../../src/report/terminal.js'
import { hostileTexts, unprintable } from '../support/hostile-texts.js'

const minute = 60_000
const stages = stageNames.map((name, nth) => ({
  name,
  state: nth < 3 ? 'completed' : nth === 3 ? 'not_applicable' : nth < 6 ? 'in_progress' : 'not_started',
}))
const changed = stages.slice(0, 6).map((stage, nth) => ({
  ...stage,
  from: nth === 5 ? null : 'not_started',
  ...(nth < 3 && { durationMs: (nth + 1) * 61_000 }),
}))

const events: readonly ApplyEvent[] = [
  { type: 'stages-changed', changed, stages, elapsedMs: 0, leftMs: 20 * minute },
  { type: 'site-said', message: 'Creating a new organization.', warnings: ['disk is slow'], elapsedMs: 0 },
  { type: 'site-said', warnings: ['disk is full'], elapsedMs: 0 },
]
const after = (more: readonly ApplyEvent[] = []) => ({
  ...[...events, ...more].reduce((view, event) => updateView(view, event, minute), emptyView),
  nextPollMs: 2 * minute + 4000,
})
const shown = (columns: number, rows = 0, view = after()) =>
  formatView(view, 2 * minute, { paint: plain, columns, rows })

test('nothing is shown before the first report', () => {
  expect(formatView(emptyView, 0, { paint: plain, columns: 80, rows: 24 })).toEqual([])
})

test('at 80 columns a line has the sign, the name, the state and the time of a stage', () => {
  expect(shown(80)).toEqual([
    '  ✔ License validation               completed       1m 01s',
    '  ✔ Configuration store              completed       2m 02s',
    '  ✔ Relational store                 completed       3m 03s',
    '  – Cloud Native Storage             not applicable',
    '  ● Queue store                      in progress     1m 00s',
    '  ● In-memory store                  in progress',
    '  · Object store                     not started',
    '  · Spatiotemporal and index store   not started',
    '  · Portal REST API                  not started',
    '  · Services REST API                not started',
    '  · Service lifecycle manager        not started',
    '  · Usage statistics                 not started',
    '  · System and utility services      not started',
    '  · Pod replicas                     not started',
    '  2m 00s, 4 of 14 stages complete, about 19m 00s left, next poll in 4s',
    '  Creating a new organization.',
    '  2 warnings, last: disk is full',
  ])
})

test('at 40 columns the state is shown only by the sign', () => {
  const lines = shown(40)
  expect(lines[2]).toBe('  ✔ Relational store             3m 03s')
  expect(lines.slice(-4)).toEqual([
    '  2m 00s, 4 of 14 stages complete',
    '  about 19m 00s left, next poll in 4s',
    '  Creating a new organization.',
    '  2 warnings, last: disk is full',
  ])
})

test('with few rows the stages in progress are shown first', () => {
  const lines = shown(80, 8)
  expect(lines).toHaveLength(7)
  expect(lines.slice(0, 4).map(line => line.trim().split(/ {2}/)[0])).toEqual([
    '● Queue store',
    '● In-memory store',
    '· Object store',
    '· Spatiotemporal and index store',
  ])
})

test('failed polls are shown as long as they fail', () => {
  const failing = {
    type: 'observation-failed',
    failure: { kind: 'trouble', status: 503 },
    elapsedMs: 0,
  } as const
  const restored = { type: 'observation-restored', failedMs: 1, elapsedMs: 1 } as const
  expect(shown(80, 0, after([failing])).join('\n')).toMatch(/polling fails: .*503/)
  expect(shown(80, 0, after([failing, restored])).join('\n')).not.toContain('looking fails')
})

test('an undocumented stage is shown as the service spells it', () => {
  const odd = [{ name: '漢字'.repeat(30), state: 'on_holiday' }]
  const event = { type: 'stages-changed', changed: [], stages: odd, elapsedMs: 0 } as const
  for (const columns of [40, 59, 80]) expect(shown(columns, 0, after([event]))[0]).toMatch(/^ {2}\? 漢字.*…/)
})

describe.each([10, 20, 40, 59, 60, 80, 200])('at %d columns', columns => {
  test.each([0, 1, 2, 5, 24])('no line is wider, and no more than %d rows are used', rows => {
    const failing = {
      type: 'observation-failed',
      failure: { kind: 'trouble', status: 503 },
      elapsedMs: 0,
    } as const
    const wide = {
      type: 'site-said',
      message: '漢'.repeat(300),
      warnings: ['x'.repeat(300)],
      elapsedMs: 0,
    } as const
    const lines = formatView(after([failing, wide]), 2 * minute, { paint: coloured, columns, rows })
    for (const line of lines) expect(countColumns(stripVTControlCharacters(line))).toBeLessThan(columns)
    if (rows > 0) expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1))
  })
})

test.each(hostileTexts)('texts of the service are escaped: %s', (_what, hostile) => {
  const said: readonly ApplyEvent[] = [
    { type: 'stages-changed', changed: [], stages: [{ name: hostile, state: hostile }], elapsedMs: 0 },
    { type: 'site-said', message: hostile, warnings: [hostile], elapsedMs: 0 },
  ]
  for (const columns of [40, 80])
    for (const line of shown(columns, 0, after(said))) expect(line).not.toMatch(unprintable)
})

import type { Run } from '../../packages/fleet/src/model/run.js'
import { formatChanges, formatFleetScreen, formatRuns } from '../../packages/fleet/src/report/fleet-status.js'
import { countColumns, plain } from '../../src/report/terminal.js'

function aRun(name: string, change: Partial<Run> = {}): Run {
  return {
    site: `https://${name}.example.org/admin`,
    name,
    generation: 1,
    rollout: 'r',
    manifest: 'a.yaml',
    digest: 'sha256:0',
    wave: 1,
    priority: 100,
    timeoutMs: 1,
    state: 'running',
    phase: 'wait',
    stages: [],
    warnings: [],
    retries: 0,
    isCancelRequested: false,
    submittedAt: 0,
    startedAt: 1000,
    changedAt: 0,
    ...change,
  }
}

const renderScreen = (runs: readonly Run[]) => ({ now: 61_000, runs, rollouts: [], workers: [] })

test('a table fits the terminal, whatever the names and messages are', () => {
  const runs = [
    aRun('x'.repeat(200), { message: 'm'.repeat(900) }),
    aRun('漢字'.repeat(30)),
    ...Array.from({ length: 50 }, (_, at) => aRun(`site-${at}`)),
  ]
  const lines = formatFleetScreen(renderScreen(runs), { columns: 60, rows: 12 })
  expect(lines.filter(line => countColumns(line) > 60)).toEqual([])
  expect(lines.length).toBeLessThan(12)
  expect(lines.at(-2)).toBe('  … and 44 more')
})

test('a table shows the state of each site', () => {
  const runs = [aRun('a', { isCancelRequested: true }), aRun('b', { state: 'queued' })]
  expect(formatFleetScreen(renderScreen(runs), { columns: 80, rows: 24 })).toEqual([
    '  site  state       progress  age     worker  retries  message',
    '  a     cancelling  wait      1m 00s  -       -',
    '  b     queued      -         1m 00s  -       -',
    '  2 sites: 1 running, 1 queued',
  ])
})

test('a long message is cut, since a site takes only a few lines', () => {
  const message = `the outcome is unknown${'; see `landform status`'.repeat(20)}`
  const text = formatRuns([aRun('a', { state: 'ambiguous', message })], 61_000, plain)
  expect(text).toContain('the outcome is unknown; see')
  expect(text).toContain('…\n')
  expect(text.length).toBeLessThan(400)
})

test('a change is printed once', () => {
  const [before, after] = [aRun('a'), aRun('a', { retries: 1, message: '' })]
  expect(formatChanges([before], [after])).toEqual(['[a] running, wait, retry 1'])
  expect(formatChanges([after], [after, aRun('b')])).toEqual(['[b] running, wait'])
  expect(formatChanges(undefined, [after])).toEqual([])
})

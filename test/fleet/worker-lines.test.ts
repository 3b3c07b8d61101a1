import { createWorkerLog, type WorkerEvent } from '../../packages/fleet/src/worker/log.js'
import { hostileTexts, unprintable } from '../support/hostile-texts.js'
import { listSchemaErrors } from '../support/schema-errors.js'

/** A worker log, with its lines and a clock that the test moves. */
function aLog(format: 'text' | 'json') {
  const lines: string[] = []
  let passedMs = 0
  const clock = { now: () => Date.UTC(2026, 2, 4, 5, 6, 7, 89), monotonicMs: () => passedMs }
  const tell = createWorkerLog({ format, worker: 'worker-0', clock, write: line => void lines.push(line) })
  return {
    lines,
    tell,
    pass(ms: number) {
      passedMs += ms
    },
  }
}

function lineOf(format: 'text' | 'json', event: WorkerEvent): string {
  const { lines, tell } = aLog(format)
  // A restored database is logged only after a failure.
  if (event.type === 'database-restored') tell({ type: 'database-failed', why: 'why' })
  tell(event)
  return lines.at(-1) ?? ''
}

/** An event of every type, with `text` in each field that has others' text; a new type does not compile without one. */
function events(text: string): readonly WorkerEvent[] {
  const run = { site: `https://gis.example.org/${text}`, generation: 2, name: text }
  const all = {
    'worker-started': { type: 'worker-started', limit: 20, version: '0.1.0', database: text },
    'worker-stopping': { type: 'worker-stopping', signal: 'SIGTERM' },
    'worker-stopped': { type: 'worker-stopped' },
    'lease-lost': { type: 'lease-lost', why: text },
    'run-started': { type: 'run-started', run },
    'phase-ended': { type: 'phase-ended', run, phase: 'wait', durationMs: 61_000 },
    'configure-accepted': { type: 'configure-accepted', run },
    'run-retried': { type: 'run-retried', run, why: text, pauseMs: 60_000 },
    'run-ended': { type: 'run-ended', run, state: 'ambiguous', outcome: text, durationMs: 3_600_000 },
    'runs-adopted': { type: 'runs-adopted', from: text, runs: 3 },
    'rollout-changed': {
      type: 'rollout-changed',
      rollout: text,
      wave: 1,
      state: 'done',
      outcome: 'a site did not succeed',
    },
    'database-failed': { type: 'database-failed', why: text, code: '57P01' },
    'database-restored': { type: 'database-restored' },
    'watch-failed': { type: 'watch-failed', error: text },
  } as const satisfies { [K in WorkerEvent['type']]: WorkerEvent & { type: K } }
  return Object.values(all)
}

describe('a line of a worker', () => {
  test.each(events('north'))('shows $type as text and as JSON', event => {
    const text = lineOf('text', event)
    expect(text).toMatch(/^2026-03-04T05:06:07\.089Z (?:info|warn|error) +[a-z-]+ .*\S\n$/)
    expect(text).not.toMatch(/undefined|NaN|\[object/)
    const line = lineOf('json', event)
    expect(line.slice(0, -1)).not.toContain('\n')
    const document = JSON.parse(line)
    expect(listSchemaErrors('fleet-log', document)).toEqual([])
    expect(document).toMatchObject({ event: event.type, worker: 'worker-0' })
    if ('run' in event) expect(document).toMatchObject({ ...event.run })
  })

  test.each(hostileTexts)('is one line without unprintable characters: %s', (_what, hostile) => {
    for (const event of events(hostile))
      for (const line of [lineOf('text', event), lineOf('json', event)])
        expect(line.slice(0, -1)).not.toMatch(unprintable)
  })

  test('has the level error only if a person is needed', () => {
    const [run] = [{ site: 'https://a.example/admin', generation: 1, name: 'a' }]
    const ended = (state: 'done' | 'ambiguous' | 'failed' | 'cancelled') =>
      JSON.parse(lineOf('json', { type: 'run-ended', run, state, outcome: 'x', durationMs: 1 })).level
    expect([ended('done'), ended('cancelled'), ended('failed'), ended('ambiguous')]).toEqual([
      'info',
      'info',
      'error',
      'error',
    ])
  })
})

describe('a repeated event of a worker', () => {
  const away: WorkerEvent = { type: 'database-failed', why: 'the database cannot be reached' }
  const back: WorkerEvent = { type: 'database-restored' }
  const run = { site: 'https://a.example/admin', generation: 1, name: 'a' }
  const retried: WorkerEvent = { type: 'run-retried', run, why: 'the database is away', pauseMs: 60_000 }
  const failed: WorkerEvent = { type: 'watch-failed', error: 'TypeError' }
  const types = (lines: readonly string[]) =>
    lines.map(line => line.split(' ').find(word => word.includes('-') && /^[a-z]/.test(word)))

  test('is one line a minute in an outage', () => {
    const { lines, tell, pass } = aLog('text')
    for (let second = 0; second < 60; second += 1) {
      for (const event of [away, retried]) tell(event)
      pass(1000)
    }
    expect(types(lines)).toEqual(['database-failed'])
    tell(away)
    expect(types(lines)).toEqual(['database-failed', 'database-failed'])
    for (const event of [back, back]) tell(event)
    expect(types(lines).slice(2)).toEqual(['database-restored'])
    for (const event of [failed, failed]) tell(event)
    expect(types(lines).slice(3)).toEqual(['watch-failed'])
  })

  test('does not lead to more lines if a database comes and goes', () => {
    const { lines, tell, pass } = aLog('text')
    for (let second = 0; second < 120; second += 1) {
      for (const event of [away, retried, back]) tell(event)
      pass(1000)
    }
    expect(types(lines)).toEqual(Array(2).fill(['database-failed', 'database-restored']).flat())
  })

  test('suppresses no other events', () => {
    const { lines, tell } = aLog('json')
    const others = events('x').filter(({ type }) => !/^(?:database|watch)-/.test(type))
    for (const event of [...others, ...others]) tell(event)
    expect(lines).toHaveLength(2 * others.length)
  })
})

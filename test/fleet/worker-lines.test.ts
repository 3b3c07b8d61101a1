import type { WorkerEvent } from '../../packages/fleet/src/model/worker-event.js'
import { workerLine } from '../../packages/fleet/src/report/worker-lines.js'
import { limitRepeats } from '../../packages/fleet/src/worker/limit-repeats.js'
import { hostileTexts, unprintable } from '../support/hostile-texts.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const reported = { at: Date.UTC(2026, 2, 4, 5, 6, 7, 89), worker: 'worker-0' }

/** Every event there is, with a text wherever one of others can stand; a new kind does not compile without. */
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
    'rollout-changed': { type: 'rollout-changed', rollout: text, wave: 1, state: 'stopped' },
    'database-failed': { type: 'database-failed', why: text, code: '57P01' },
    'database-restored': { type: 'database-restored' },
    'engine-said': { type: 'engine-said', level: 'warn', said: text },
  } as const satisfies { [K in WorkerEvent['type']]: WorkerEvent & { type: K } }
  return Object.values(all)
}

describe('a line of a worker', () => {
  test.each(events('north'))('tells $type to people and to machines', event => {
    const text = workerLine.text(event, reported)
    expect(text).toMatch(/^2026-03-04T05:06:07\.089Z (?:info|warn|error) +[a-z-]+ .*\S\n$/)
    expect(text).not.toMatch(/undefined|NaN|\[object/)
    const line = workerLine.json(event, reported)
    expect(line.slice(0, -1)).not.toContain('\n')
    const document = JSON.parse(line)
    expect(listSchemaErrors('fleet-log', document)).toEqual([])
    expect(document).toMatchObject({ event: event.type, worker: 'worker-0' })
    if ('run' in event) expect(document).toMatchObject({ ...event.run })
  })

  test.each(hostileTexts)('stays one line that nothing can be hidden in: %s', (_what, hostile) => {
    for (const event of events(hostile))
      for (const line of [workerLine.text(event, reported), workerLine.json(event, reported)])
        expect(line.slice(0, -1)).not.toMatch(unprintable)
  })

  test('calls for a person where one is needed, and for nobody else', () => {
    const [run] = [{ site: 'https://a.example/admin', generation: 1, name: 'a' }]
    const ended = (state: 'done' | 'ambiguous' | 'failed' | 'cancelled') =>
      JSON.parse(workerLine.json({ type: 'run-ended', run, state, outcome: 'x', durationMs: 1 }, reported))
        .level
    expect([ended('done'), ended('cancelled'), ended('failed'), ended('ambiguous')]).toEqual([
      'info',
      'info',
      'error',
      'error',
    ])
  })
})

describe('what a worker says again and again', () => {
  const away: WorkerEvent = { type: 'database-failed', why: 'the database cannot be reached' }
  const back: WorkerEvent = { type: 'database-restored' }
  const said = (text: string): WorkerEvent => ({ type: 'engine-said', level: 'warn', said: text })

  test('is told once a minute, and anew after the database was back', () => {
    const told: WorkerEvent[] = []
    let now = 0
    const tell = limitRepeats(
      event => told.push(event),
      () => now,
    )
    for (const event of [away, said('a'), said('b'), away, said('a'), back, back]) tell(event)
    expect(told).toEqual([away, said('a'), said('b'), back])
    for (const event of [away, said('a'), said('a')]) tell(event)
    expect(told.slice(4)).toEqual([away, said('a')])
    now = 60_000
    for (const event of [said('a'), away, said('a')]) tell(event)
    expect(told.slice(6)).toEqual([said('a'), away])
  })

  test('holds back nothing else', () => {
    const told: WorkerEvent[] = []
    const tell = limitRepeats(
      event => told.push(event),
      () => 0,
    )
    for (const event of [...events('x'), ...events('x')]) tell(event)
    expect(told).toEqual([...events('x'), ...events('x')])
  })
})

import type { ApplyEvent } from '../../src/apply/generated/event.js'
import type { Outcome, Receipt } from '../../src/apply/outcome.js'
import type { Anomaly } from '../../src/apply/wait/reported.js'
import type { ServiceFailure } from '../../src/client/failure.js'
import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import { describeOutcome, endOfApply } from '../../src/report/endings/apply.js'
import { describeFailure } from '../../src/report/endings/service.js'
import { describeEvent, eventDocument, formatProgress, receiptDocument } from '../../src/report/events.js'
import { aManifest, aPolicy } from '../support/a-manifest.js'
import { aPlan } from '../support/a-plan.js'
import { aLock, aSubmission } from '../support/a-submission.js'
import { hostileTexts, unprintable } from '../support/hostile-texts.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const now = Date.UTC(2026, 2, 4, 5, 6, 7, 89)

/** Failures of every kind; a new kind does not compile without one. */
const failures = (text: string) =>
  ({
    'not-sent': [
      { kind: 'not-sent', cause: 'name', reason: text },
      { kind: 'not-sent', cause: 'connection', reason: text },
      { kind: 'not-sent', cause: 'tls', reason: text },
      { kind: 'not-sent', cause: 'stopped', reason: text },
    ],
    'no-answer': [{ kind: 'no-answer', reason: text }],
    'not-understood': [
      { kind: 'not-understood', status: 200, reason: 'unexpected-shape', at: text },
      { kind: 'not-understood', status: 200, reason: 'not-a-json-object', message: text },
    ],
    redirected: [
      { kind: 'redirected', status: 302 },
      { kind: 'redirected', status: 302, to: 'slash', target: text },
      { kind: 'redirected', status: 302, to: 'elsewhere', target: text },
    ],
    refused: [
      { kind: 'refused', status: 200, code: 400, message: text },
      { kind: 'refused', status: 200, message: '', details: [text, text] },
      { kind: 'refused', status: 200, message: '' },
    ],
    unauthorized: [
      { kind: 'unauthorized', status: 200, code: 498, message: text },
      { kind: 'unauthorized', status: 200, message: '', cause: 'sign-in' },
      { kind: 'unauthorized', status: 302, message: '', cause: 'sign-in', target: text },
    ],
    trouble: [
      { kind: 'trouble', status: 503 },
      { kind: 'trouble', status: 200, code: 503, message: text, details: [text] },
    ],
    'not-found': [
      { kind: 'not-found', status: 404 },
      { kind: 'not-found', status: 404, message: text },
    ],
  }) satisfies { [K in ServiceFailure['kind']]: readonly (ServiceFailure & { kind: K })[] }

/** Outcomes of every kind; a new kind does not compile without one. */
const outcomes = (text: string) =>
  ({
    done: [{ kind: 'done' }],
    'in-progress': [
      { kind: 'in-progress', because: 'timeout' },
      { kind: 'in-progress', because: 'timeout', failure: { kind: 'no-answer', reason: text } },
      { kind: 'in-progress', because: 'interrupted' },
      { kind: 'in-progress', because: 'detached' },
      { kind: 'in-progress', because: 'not-allowed' },
    ],
    unknown: [
      { kind: 'unknown', operation: 'configure', reason: 'unknown-state', state: text },
      { kind: 'unknown', operation: 'configure', reason: 'interrupted', said: text, nonce: 'a1' },
      { kind: 'unknown', operation: 'update', reason: 'no-complete-response' },
    ],
    'site-failed': [{ kind: 'site-failed', message: text, stages: [{ name: text, state: 'failed' }] }],
    replaced: [
      { kind: 'replaced', because: { kind: 'another-version', was: text, is: text } },
      { kind: 'replaced', because: { kind: 'not-configured-any-more' } },
    ],
    'not-taken': Object.values(failures(text))
      .flat()
      .flatMap(
        failure =>
          [
            { kind: 'not-taken', operation: 'configure', failure },
            { kind: 'not-taken', operation: 'update', after: 'configure', failure },
          ] as const,
      ),
    'not-permitted': [
      { kind: 'not-permitted', userType: text, listed: [text] },
      { kind: 'not-permitted', userType: text, listed: [] },
    ],
    stale: [{ kind: 'stale', moved: [{ kind: 'manifest' }, { kind: 'file', file: text }] }],
    references: [{ kind: 'references', diagnostics: [aDiagnostic(text)] }],
    locked: [
      { kind: 'locked', lock: aLock(text), liveness: 'alive' },
      { kind: 'locked', lock: { ...aLock(text), expiresAt: 'later' }, liveness: 'elsewhere' },
    ],
    'rejected-before': [
      { kind: 'rejected-before', submission: aSubmission({ state: 'rejected' }) },
      { kind: 'rejected-before', submission: aSubmission({ state: 'rejected', reason: text }) },
    ],
    interrupted: [{ kind: 'interrupted' }],
    'not-recorded': [
      {
        kind: 'not-recorded',
        after: 'update',
        failure: { kind: 'unwritable', where: text, reason: { kind: 'system', message: text } },
      },
    ],
  }) satisfies { [K in Outcome['kind']]: readonly (Outcome & { kind: K })[] }

/** Anomalies of every kind; a new kind does not compile without one. */
const anomalies = (text: string) =>
  ({
    'stage-went-back': { kind: 'stage-went-back', stage: text, from: text, to: text },
    'site-went-back': { kind: 'site-went-back', from: 'ready', to: 'in-progress' },
    'ready-with-open-stages': { kind: 'ready-with-open-stages', stages: Array(7).fill(text) },
    'not-ready-with-closed-stages': { kind: 'not-ready-with-closed-stages' },
    'unknown-state': {
      kind: 'unknown-state',
      state: text,
      contradiction: { kind: 'stage', name: text, state: text },
    },
    'another-version': { kind: 'another-version', was: text, is: text },
    'another-build': { kind: 'another-build', was: text, is: text },
    'another-emulator': { kind: 'another-emulator', was: text, is: text },
    'another-start': { kind: 'another-start', stage: text, was: 1, is: 9e15 },
    'malformed-parts': { kind: 'malformed-parts', parts: Array(7).fill(text) },
    'failed-stage': { kind: 'failed-stage', stage: text, forMs: 300_000 },
    'stood-still': { kind: 'stood-still', ms: 43_200_000 },
  }) satisfies { [K in Anomaly['kind']]: Anomaly & { kind: K } }

/** Events of every type; a new type does not compile without one. */
const events = (text: string) =>
  ({
    'stream-started': [{ type: 'stream-started', formatVersion: 1, name: text, url: text, tool: text }],
    'action-started': [
      { type: 'action-started', operation: 'configure', change: 'create', reason: 'not-configured' },
      { type: 'action-started', operation: 'update', change: 'no-op', reason: 'policy-unchanged' },
    ],
    'configure-accepted': [{ type: 'configure-accepted' }],
    'site-locked': [
      { type: 'site-locked', fence: 1 },
      { type: 'site-locked', fence: 3, former: { host: text, pid: 7 } },
      { type: 'site-locked', fence: 3, former: { host: text, pid: 7 }, isGone: true },
    ],
    'user-type-unlisted': [{ type: 'user-type-unlisted', userType: text, listed: [text] }],
    'intent-written': [{ type: 'intent-written', generation: 1 }],
    'submission-adopted': [{ type: 'submission-adopted' }],
    'configure-begun': [{ type: 'configure-begun' }],
    'outcome-unknown': Object.values(failures(text))
      .flat()
      .map(failure => ({ type: 'outcome-unknown', operation: 'configure', failure }) as const),
    'stages-changed': [
      { type: 'stages-changed', changed: [], stages: [], elapsedMs: 0 },
      {
        type: 'stages-changed',
        changed: [
          { name: text, state: text, from: null },
          {
            name: 'Queue store',
            state: 'completed',
            from: text,
            startTime: 1,
            lastUpdated: 2,
            durationMs: 9,
          },
        ],
        stages: [{ name: text, state: text }],
        elapsedMs: 1.5,
        leftMs: 90_000,
      },
    ],
    'site-said': [
      { type: 'site-said', message: text, warnings: [text, text], elapsedMs: 1 },
      { type: 'site-said', warnings: [text], elapsedMs: 1 },
    ],
    anomaly: Object.values(anomalies(text)).map(
      anomaly => ({ type: 'anomaly', anomaly, elapsedMs: 1 }) as const,
    ),
    'stage-stalled': [{ type: 'stage-stalled', stage: text, unmovedMs: 900_000, elapsedMs: 900_000 }],
    'stage-moved': [{ type: 'stage-moved', stage: text, unmovedMs: 960_000, elapsedMs: 960_000 }],
    'observation-failed': Object.values(failures(text))
      .flat()
      .map(failure => ({ type: 'observation-failed', failure, elapsedMs: 1 }) as const),
    'observation-restored': [{ type: 'observation-restored', failedMs: 61_000, elapsedMs: 90_000 }],
    heartbeat: [
      { type: 'heartbeat', stages: [], elapsedMs: 0, leftMs: 60_000 },
      { type: 'heartbeat', stages: [{ name: text, state: 'in_progress' }], elapsedMs: 30_000 },
      { type: 'heartbeat', stages: [], elapsedMs: 0 },
      ...Object.values(failures(text))
        .flat()
        .map(failure => ({ type: 'heartbeat', stages: [], elapsedMs: 0, failure }) as const),
    ],
    'site-ready': [
      { type: 'site-ready', elapsedMs: 1, warnings: [], timings: [] },
      {
        type: 'site-ready',
        elapsedMs: 1,
        warnings: [text, text],
        timings: [{ stage: 'Queue store', beganMs: 1, endedMs: 2 }],
      },
    ],
    'intent-not-noted': [{ type: 'intent-not-noted' }, { type: 'intent-not-noted', folder: text }],
    'action-finished': [{ type: 'action-finished', operation: 'update' }],
    'record-written': [{ type: 'record-written', serial: 3 }],
    'stream-finished': Object.values(outcomes(text))
      .flat()
      .map(outcome => ({ type: 'stream-finished', outcome }) as const),
  }) satisfies { [K in ApplyEvent['type']]: readonly (ApplyEvent & { type: K })[] }

const allFailures: readonly ServiceFailure[] = Object.values(failures('a reason')).flat()
const allOutcomes: readonly Outcome[] = Object.values(outcomes('a reason')).flat()
const allEvents: readonly ApplyEvent[] = Object.values(events('a reason')).flat()

describe('an event', () => {
  test.each(allEvents)('is one line of text ($type, case %#)', event => {
    const text = describeEvent(event)
    expect(text.length).toBeGreaterThan(4)
    expect(text).not.toMatch(unprintable)
    expect(text).not.toMatch(/undefined|NaN|\[object/)
  })

  test.each(allEvents)('satisfies its published schema ($type, case %#)', event => {
    const document = eventDocument(event, now)
    expect(listSchemaErrors('event', document)).toEqual([])
    const isStale = event.type === 'stream-finished' && event.outcome.kind === 'stale'
    expect(document).toMatchObject({
      ...(isStale ? { outcome: { kind: 'stale', facts: event.outcome.moved } } : event),
      at: '2026-03-04T05:06:07.089Z',
      message: describeEvent(event),
    })
  })

  test.each(hostileTexts)('escapes hostile texts from any source: %s', (_what, hostile) => {
    const texts = Object.values(events(`x${hostile}x`))
      .flat()
      .map(describeEvent)
    expect(texts.filter(text => unprintable.test(text))).toEqual([])
  })

  test.each<[Anomaly, string]>([
    [
      { kind: 'another-version', was: '11.2', is: '11.3.0.5814' },
      'warning: another site may be responding: version 11.3.0.5814 instead of 11.2',
    ],
    [
      { kind: 'another-build', was: 'b1', is: 'b2' },
      'warning: another site may be responding: build b2 instead of b1',
    ],
    [
      { kind: 'another-start', stage: 'Queue store', was: 0, is: 60_000 },
      'warning: another site may be responding: Queue store started at 1970-01-01T00:01:00.000Z instead of 1970-01-01T00:00:00.000Z',
    ],
    [
      { kind: 'stage-went-back', stage: 'Queue store', from: 'completed', to: 'in_progress' },
      'warning: Queue store went back from completed to in progress; nothing is sent again',
    ],
    [
      { kind: 'site-went-back', from: 'ready', to: 'in-progress' },
      'warning: the site went back from ready to in-progress; nothing is sent again',
    ],
  ])('first names what a site reports now, and then the earlier value: %j', (anomaly, text) => {
    expect(describeEvent({ type: 'anomaly', anomaly, elapsedMs: 1 })).toBe(text)
  })

  test('of an unknown type is invalid in the published schema', () => {
    const document = { ...eventDocument({ type: 'configure-accepted' }, now), type: 'configure-refused' }
    expect(listSchemaErrors('event', document)).not.toEqual([])
  })

  test.each([
    [[], 'no stages reported yet'],
    [['completed', 'not_applicable', 'not_started', 'new'], '2 of 4 stages complete'],
    [['completed', 'in_progress', 'in_progress'], '1 of 3 stages complete, now s1 and s2'],
  ])('summarizes stages: %j', (states, text) => {
    expect(formatProgress(states.map((state, index) => ({ name: `s${index}`, state })))).toBe(text)
  })
})

describe('a failure', () => {
  test.each(allFailures)('has its own sentence ($kind, case %#)', failure => {
    const text = describeFailure(failure)
    expect(text).not.toMatch(unprintable)
    expect(text).not.toMatch(/undefined|NaN|\[object/)
    expect(allFailures.filter(other => describeFailure(other) === text)).toEqual([failure])
  })

  test('never mentions what was sent, which only the run knows', () => {
    for (const failure of allFailures) expect(describeFailure(failure)).not.toMatch(/was sent/)
  })

  test("quotes only a readable part of the service's message", () => {
    const message = 'x'.repeat(1_000_000)
    expect(describeFailure({ kind: 'refused', status: 200, code: 1, message }).length).toBeLessThan(400)
  })
})

const commands = {
  apply: 'landform apply site.yaml --yes',
  plan: 'landform plan site.yaml',
  adopt: 'landform adopt site.yaml',
  sign: 'landform plan site.yaml --sign-key file:KEY',
  status: 'landform status site.yaml',
  show: 'landform state show site.yaml',
  discardIntent: (nonce: string) => `landform state discard-intent site.yaml --intent ${nonce}`,
  unlock: (nonce: string) => `landform state unlock site.yaml --nonce ${nonce}`,
  move: (from: string, to: string) => `landform state move ${from} ${to} site.yaml`,
}

describe('an outcome', () => {
  test.each(allOutcomes)('has a sentence ($kind, case %#)', outcome => {
    expect(describeOutcome(outcome)).not.toMatch(unprintable)
    expect(describeOutcome(outcome)).not.toMatch(/undefined|NaN|\[object/)
  })

  test.each(allOutcomes)('has a next step unless it is done ($kind, case %#)', outcome => {
    expect(endOfApply(outcome).next(commands).length === 0).toBe(outcome.kind === 'done')
  })

  test('that is unknown names the commands that poll, that resume, and that discard the intent', () => {
    const outcome = { kind: 'unknown', operation: 'configure', reason: 'interrupted', nonce: 'n7' } as const
    const next = endOfApply(outcome).next(commands).join('\n')
    expect(next).toContain('`landform status site.yaml`')
    expect(next).toContain('without sending configure again')
    expect(next).toContain('`landform state discard-intent site.yaml --intent n7`')
  })

  test.each(hostileTexts)('escapes hostile texts from any source: %s', (_what, hostile) => {
    const texts = Object.values(outcomes(`x${hostile}x`))
      .flat()
      .map(describeOutcome)
    expect(texts.filter(text => unprintable.test(text))).toEqual([])
  })
})

describe('a receipt', () => {
  const plan = aPlan({ desired: aManifest({ policy: aPolicy() }) })
  const receipt = (outcome: Outcome): Receipt => ({
    outcome,
    startedAt: '2026-03-04T05:06:07.089Z',
    finishedAt: '2026-03-04T06:06:07.089Z',
  })

  test.each(allOutcomes)('satisfies its published schema ($kind, case %#)', outcome => {
    const next = endOfApply(outcome).next(commands)
    const document = receiptDocument(plan, receipt(outcome), { next, exitCode: 3 })
    expect(listSchemaErrors('receipt', document)).toEqual([])
    expect(document).toMatchObject({ outcome: outcome.kind, exitCode: 3, message: describeOutcome(outcome) })
    expect('next' in document).toBe(outcome.kind !== 'done')
    expect(document.diagnostics.length).toBe(outcome.kind === 'references' ? 1 : 0)
  })
})

function aDiagnostic(text: string): Diagnostic {
  return {
    code: 'secret/missing',
    severity: 'error',
    message: text,
    help: text,
    pointer: '/spec/site/token',
    place: { file: text, start: { line: 1, column: 1 }, end: { line: 1, column: 2 } },
  }
}

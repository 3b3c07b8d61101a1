import { listEndings } from '../../scripts/reference/exit-codes-page.js'
import type { ServiceFailure } from '../../src/client/failure.js'
import type { Observation } from '../../src/plan/observation.js'
import type { EndState } from '../../src/plan/run-state.js'
import { endOfAdoption } from '../../src/report/endings/adoption.js'
import { endOfApply, endOfWait } from '../../src/report/endings/apply.js'
import { endOfBlocker } from '../../src/report/endings/blockers.js'
import { endOfClearing } from '../../src/report/endings/cleared.js'
import { describeEnd, type Ending } from '../../src/report/endings/ending.js'
import { endOfMove } from '../../src/report/endings/move.js'
import { endOfDeletion, endOfExport } from '../../src/report/endings/one-shot.js'
import { endOfProblem } from '../../src/report/endings/problems.js'
import { causeOfService } from '../../src/report/endings/service.js'
import { causeOfState } from '../../src/report/endings/state.js'
import { endOfViolation } from '../../src/report/endings/violations.js'
import type { ExitName } from '../../src/report/exit-code.js'
import type { Sent } from '../../src/report/sent.js'
import type { StateFailure } from '../../src/state/state-failure.js'
import { aDiagnostic } from '../support/a-diagnostic.js'
import { aPlan } from '../support/a-plan.js'
import { aLock, aSubmission } from '../support/a-submission.js'
import { anExport } from '../support/one-shot.js'

const url = 'https://gis.example.org/admin'
const file = 'site.yaml'
const gone = { kind: 'not-sent', cause: 'connection', reason: 'ECONNREFUSED' } as const
const no = { kind: 'refused', status: 400, code: 400, message: 'No' } as const
const closed = { kind: 'no-answer', reason: 'ECONNRESET' } as const
const elsewhere = { kind: 'redirected', status: 302, cause: 'moved' } as const
const rejects = (status: number, code: number) => ({ kind: 'refused', status, code, message: 'x' }) as const
const unwritable = { kind: 'unwritable', where: 'kept', reason: { kind: 'not-a-folder' } } as const
const lock = aLock()
const submission = aSubmission({})
const seen = { warnings: [], stages: [] }
const ready: Observation & { readonly kind: 'ready' } = { ...seen, kind: 'ready' }
const failed: Observation & { readonly kind: 'failed' } = { ...seen, kind: 'failed' }
const unrecognized = { ...seen, kind: 'unrecognized', state: 'paused' } as const
const difference = { kind: 'another-version', was: '11.2', is: '11.3' } as const
const absent = [aDiagnostic({ code: 'secret/missing' })]
const invalid = [aDiagnostic({ code: 'secret/malformed' })]
const violated = [aDiagnostic({ code: 'policy/violated' })]
const plan = aPlan()
const hours = { days: ['Mon' as const], start: '08:00', end: '17:00', timeZone: 'UTC' }

type Case<F> = readonly [facts: F, exitCode: number, sent: Sent, end: EndState]
type Cases<U extends { readonly kind: string }> = {
  readonly [K in U['kind']]: readonly Case<U & { readonly kind: K }>[]
}

/** Pairs endings with the expected values. A row without a case does not compile. */
function endsOf<U extends { readonly kind: string }>(table: (facts: U) => Ending<never>, cases: Cases<U>) {
  return Object.values<readonly Case<U>[]>(cases)
    .flat()
    .map(([facts, ...must]) => ({ kind: facts.kind, ending: table(facts), must }))
}

const all = [
  ...endsOf(endOfApply, {
    done: [[{ kind: 'done' }, 0, 'something', 'done']],
    'in-progress': [
      [{ kind: 'in-progress', because: 'timeout', failure: gone }, 3, 'something', 'unfinished'],
      [{ kind: 'in-progress', because: 'detached' }, 3, 'something', 'unfinished'],
      [{ kind: 'in-progress', because: 'interrupted' }, 130, 'something', 'cancelled'],
      [{ kind: 'in-progress', because: 'not-allowed' }, 77, 'something', 'refused'],
    ],
    unknown: [
      [{ kind: 'unknown', operation: 'configure', reason: 'not-confirmed' }, 4, 'perhaps', 'ambiguous'],
      [{ kind: 'unknown', operation: 'update', reason: 'not-confirmed' }, 4, 'perhaps', 'failed'],
    ],
    locked: [[{ kind: 'locked', lock, liveness: 'alive' }, 7, 'nothing', 'unfinished']],
    'rejected-before': [[{ kind: 'rejected-before', submission }, 4, 'nothing', 'ambiguous']],
    'site-failed': [[{ kind: 'site-failed', message: 'No', stages: [] }, 5, 'something', 'failed']],
    replaced: [
      [{ kind: 'replaced', because: { kind: 'not-configured-any-more' } }, 6, 'something', 'ambiguous'],
    ],
    'not-taken': [
      [{ kind: 'not-taken', operation: 'configure', failure: gone }, 69, 'nothing', 'failed'],
      [
        { kind: 'not-taken', operation: 'configure', failure: no, because: 'license' },
        5,
        'nothing',
        'failed',
      ],
      [
        { kind: 'not-taken', operation: 'configure', failure: no, isRejected: true },
        5,
        'something',
        'failed',
      ],
      // The exit code 69, `unreachable`, would imply that nothing was sent, but something was.
      [
        { kind: 'not-taken', operation: 'update', after: 'configure', failure: gone },
        75,
        'no more',
        'failed',
      ],
      [{ kind: 'not-taken', operation: 'update', failure: rejects(200, 500) }, 5, 'something', 'failed'],
      [{ kind: 'not-taken', operation: 'update', failure: rejects(500, 500) }, 5, 'something', 'failed'],
      [{ kind: 'not-taken', operation: 'update', failure: rejects(500, 502) }, 75, 'something', 'failed'],
    ],
    'not-permitted': [[{ kind: 'not-permitted', userType: 'x', listed: [] }, 78, 'nothing', 'refused']],
    stale: [[{ kind: 'stale', moved: [] }, 6, 'nothing', 'failed']],
    references: [
      [{ kind: 'references', diagnostics: absent }, 66, 'nothing', 'refused'],
      [{ kind: 'references', diagnostics: invalid }, 65, 'nothing', 'refused'],
    ],
    interrupted: [[{ kind: 'interrupted' }, 130, 'no more', 'cancelled']],
    'not-recorded': [
      [{ kind: 'not-recorded', after: 'nothing', failure: unwritable }, 74, 'nothing', 'failed'],
      [{ kind: 'not-recorded', after: 'configure', failure: unwritable }, 74, 'something', 'failed'],
    ],
  }),
  ...endsOf(endOfWait, {
    ready: [[{ kind: 'ready', timings: [] }, 0, 'nothing', 'done']],
    failed: [[{ kind: 'failed', observed: failed }, 5, 'nothing', 'failed']],
    'not-begun': [[{ kind: 'not-begun', isShown: true }, 3, 'nothing', 'unfinished']],
    replaced: [
      [{ kind: 'replaced', because: { kind: 'not-configured-any-more' } }, 6, 'something', 'ambiguous'],
    ],
    'not-allowed': [[{ kind: 'not-allowed', failure: gone, begun: true }, 77, 'nothing', 'refused']],
    timeout: [
      [{ kind: 'timeout', last: ready, begun: true }, 3, 'nothing', 'unfinished'],
      [{ kind: 'timeout', last: unrecognized, begun: true }, 4, 'nothing', 'ambiguous'],
    ],
    interrupted: [[{ kind: 'interrupted', begun: true }, 130, 'nothing', 'cancelled']],
  }),
  ...endsOf(endOfProblem, {
    file: [
      [
        { kind: 'file', what: 'manifest', file, because: 'missing', defect: { kind: 'missing' } },
        66,
        'nothing',
        'refused',
      ],
      [
        { kind: 'file', what: 'manifest', file, because: 'not-allowed', defect: { kind: 'folder' } },
        65,
        'nothing',
        'refused',
      ],
    ],
    manifest: [
      [{ kind: 'manifest', file, diagnostics: invalid, sources: [] }, 65, 'nothing', 'refused'],
      [{ kind: 'manifest', file, diagnostics: absent, sources: [] }, 66, 'nothing', 'refused'],
      [{ kind: 'manifest', file, diagnostics: violated, sources: [] }, 78, 'nothing', 'refused'],
    ],
    policy: [[{ kind: 'policy', file, diagnostics: [], sources: [] }, 65, 'nothing', 'refused']],
    proxy: [
      [{ kind: 'proxy', variable: 'HTTPS_PROXY', defect: { kind: 'quoted' } }, 78, 'nothing', 'refused'],
    ],
    tls: [[{ kind: 'tls', diagnostics: absent }, 66, 'nothing', 'refused']],
    references: [
      [{ kind: 'references', diagnostics: absent }, 66, 'nothing', 'refused'],
      [{ kind: 'references', diagnostics: invalid }, 65, 'nothing', 'refused'],
    ],
    look: [
      [{ kind: 'look', url, failure: gone }, 69, 'nothing', 'failed'],
      [{ kind: 'look', url, failure: elsewhere }, 78, 'nothing', 'refused'],
    ],
    'never-up': [[{ kind: 'never-up', url, limitMs: 1, failure: gone }, 69, 'nothing', 'failed']],
    state: [[{ kind: 'state', failure: unwritable }, 74, 'nothing', 'failed']],
    address: [[{ kind: 'address', url, because: 'not-allowed' }, 65, 'nothing', 'refused']],
    obstacle: [
      [{ kind: 'obstacle', blocker: { kind: 'site-too-old' }, diagnostics: [] }, 6, 'nothing', 'refused'],
    ],
    immutable: [[{ kind: 'immutable', edits: [], plan }, 6, 'nothing', 'refused']],
    stale: [[{ kind: 'stale', moved: [] }, 6, 'nothing', 'failed']],
    'local-state': [[{ kind: 'local-state', where: '.landform', plan }, 78, 'nothing', 'refused']],
    'not-permitted': [
      [{ kind: 'not-permitted', file, violation: { kind: 'unsigned' }, plan }, 78, 'nothing', 'refused'],
    ],
    'state-location': [[{ kind: 'state-location', because: 'undeclared', url }, 78, 'nothing', 'refused']],
  }),
  ...endsOf(endOfBlocker, {
    'site-failed': [[{ kind: 'site-failed', observed: failed }, 5, 'nothing', 'failed']],
    'site-unrecognized': [[{ kind: 'site-unrecognized', observed: unrecognized }, 4, 'nothing', 'ambiguous']],
    'site-too-old': [[{ kind: 'site-too-old' }, 6, 'nothing', 'refused']],
    'site-replaced': [[{ kind: 'site-replaced', submission }, 6, 'nothing', 'ambiguous']],
  }),
  ...endsOf(endOfViolation, {
    unsigned: [[{ kind: 'unsigned', file }, 78, 'nothing', 'refused']],
    old: [[{ kind: 'old', file, maxAgeMs: 1 }, 78, 'nothing', 'refused']],
    closed: [[{ kind: 'closed', file, hours }, 78, 'nothing', 'refused']],
  }),
  ...endsOf(endOfClearing, {
    cleared: [[{ kind: 'cleared', submission }, 0, 'nothing', 'done']],
    kept: [[{ kind: 'kept' }, 0, 'nothing', 'done']],
    'another-site': [
      [{ kind: 'another-site', submission, difference, observed: ready }, 6, 'nothing', 'failed'],
    ],
    'nothing-to-clear': [[{ kind: 'nothing-to-clear', submission: undefined }, 6, 'nothing', 'failed']],
    another: [[{ kind: 'another', submission }, 6, 'nothing', 'failed']],
    locked: [[{ kind: 'locked', lock, liveness: 'elsewhere' }, 7, 'nothing', 'unfinished']],
    'may-still-send': [
      [{ kind: 'may-still-send', submission, liveness: 'alive' }, 7, 'nothing', 'unfinished'],
    ],
    'too-early': [[{ kind: 'too-early', remainingMs: 1, count: 'begins' }, 6, 'nothing', 'failed']],
    shows: [[{ kind: 'shows', observed: ready }, 6, 'nothing', 'failed']],
    unproven: [[{ kind: 'unproven' }, 4, 'nothing', 'ambiguous']],
    moved: [[{ kind: 'moved' }, 6, 'nothing', 'failed']],
    interrupted: [[{ kind: 'interrupted' }, 130, 'nothing', 'cancelled']],
    'not-recorded': [[{ kind: 'not-recorded', failure: unwritable }, 74, 'nothing', 'failed']],
  }),
  ...endsOf(endOfMove, {
    moved: [[{ kind: 'moved', versions: 1, ...names() }, 0, 'nothing', 'done']],
    done: [[{ kind: 'done', ...names() }, 0, 'nothing', 'done']],
    nothing: [[{ kind: 'nothing', ...names() }, 6, 'nothing', 'failed']],
    occupied: [[{ kind: 'occupied', ...names() }, 6, 'nothing', 'failed']],
    locked: [[{ kind: 'locked', lock, ...names() }, 7, 'nothing', 'unfinished']],
    failed: [[{ kind: 'failed', failure: unwritable, ...names() }, 74, 'nothing', 'failed']],
  }),
  ...endsOf(endOfAdoption, {
    'recorded-already': [[{ kind: 'recorded-already', asserted: true }, 6, 'nothing', 'failed']],
    pending: [[{ kind: 'pending', submission }, 4, 'nothing', 'ambiguous']],
    locked: [[{ kind: 'locked', lock }, 7, 'nothing', 'unfinished']],
    'not-recorded': [[{ kind: 'not-recorded', failure: unwritable }, 74, 'nothing', 'failed']],
  }),
  ...endsOf(endOfExport, {
    done: [[{ kind: 'done', ...asked() }, 0, 'something', 'done']],
    warned: [
      [{ kind: 'warned', messages: [], ...asked() }, 5, 'something', 'failed'],
      [{ kind: 'warned', messages: [], ...asked(), allowsWarnings: true }, 0, 'something', 'done'],
    ],
    unknown: [[{ kind: 'unknown', failure: closed, ...asked() }, 4, 'perhaps', 'ambiguous']],
    'not-taken': [
      [{ kind: 'not-taken', failure: gone, ...asked() }, 69, 'nothing', 'failed'],
      [{ kind: 'not-taken', failure: no, ...asked() }, 5, 'something', 'failed'],
      // A poll would end with 78, which means that the site has another address.
      [{ kind: 'not-taken', failure: elsewhere, ...asked() }, 77, 'something', 'refused'],
    ],
    references: [[{ kind: 'references', diagnostics: absent, ...asked() }, 66, 'nothing', 'refused']],
    interrupted: [[{ kind: 'interrupted', ...asked() }, 130, 'nothing', 'cancelled']],
  }),
  ...endsOf(endOfDeletion, {
    done: [[{ kind: 'done', service: 'R' }, 0, 'something', 'done']],
    unknown: [[{ kind: 'unknown', failure: closed, service: 'R' }, 4, 'perhaps', 'ambiguous']],
    'not-taken': [[{ kind: 'not-taken', failure: no, service: 'R' }, 5, 'something', 'failed']],
    references: [[{ kind: 'references', diagnostics: invalid, service: 'R' }, 65, 'nothing', 'refused']],
    interrupted: [[{ kind: 'interrupted', service: 'R' }, 130, 'nothing', 'cancelled']],
  }),
]

test.each(all)('the ending $kind has the right code, requests sent and state of its site (case $#)', one => {
  const { ending, must } = one
  expect([ending.exitCode, ending.sent, ending.end]).toEqual(must)
})

test('the page of exit codes lists endings for each code of a site', () => {
  const used = new Set(all.map(({ ending }) => ending.exit))
  expect(used.size).toBe(14)
  for (const exit of used) expect([exit, listEndings(exit).length > 0]).toEqual([exit, true])
  expect(listEndings('locked')).toEqual([
    'another run has the lock of the site',
    'another run wrote the state in the meantime',
    'the process that recorded the submission intent could still send the request',
  ])
})

test('only an ending without requests says that nothing was sent', () => {
  for (const { ending } of all) {
    const words = { nothing: ['; nothing was sent'], 'no more': ['; nothing more was sent'] }
    const said = describeEnd(ending).match(/; nothing (?:more )?was sent/g) ?? []
    expect([...said]).toEqual(ending.sent in words ? words[ending.sent as keyof typeof words] : [])
  }
})

test.each<[ExitName, ServiceFailure]>([
  ['unreachable', gone],
  ['unreachable', { ...gone, cause: 'name' }],
  ['refused', { ...gone, cause: 'address' }],
  ['permission', { ...gone, cause: 'tls' }],
  ['permission', { ...gone, cause: 'proxy-sign-in' }],
  ['permission', { ...gone, reason: 'ECONNRESET' }],
  ['trouble', { ...gone, cause: 'sign-in' }],
  ['trouble', closed],
  ['permission', { kind: 'no-answer', reason: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA' }],
  ['trouble', { kind: 'not-understood', status: 200, reason: 'not-a-site-root' }],
  ['refused', { kind: 'not-understood', status: 200, reason: 'cached' }],
  ['refused', elsewhere],
  ['unreachable', { kind: 'not-found', status: 404 }],
  ['serviceFailed', no],
  ['trouble', rejects(500, 502)],
  ['permission', { kind: 'unauthorized', status: 401, message: 'No' }],
  ['trouble', { kind: 'trouble', status: 503 }],
  ['permission', { kind: 'trouble', status: 503, cause: 'denied' }],
])('a failure of the service with the exit code of %s: %j', (exit, failure) => {
  expect(causeOfService(failure).exit).toBe(exit)
})

test.each<[ExitName, StateFailure['kind'][]]>([
  ['state', ['unreadable', 'unwritable', 'damaged']],
  ['refused', ['newer', 'foreign', 'moved', 'promised-elsewhere']],
  ['locked', ['overtaken']],
])('a failure of the state with the exit code of %s: %j', (exit, kinds) => {
  for (const kind of kinds) expect([kind, causeOfState({ ...unwritable, kind }).exit]).toEqual([kind, exit])
})

function names() {
  return { name: 'site', from: 'file:a', to: 'file:b' }
}

function asked() {
  return { request: anExport({}), allowsWarnings: false }
}

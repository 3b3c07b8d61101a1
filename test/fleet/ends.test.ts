import { classifyOutcome, classifyProblem } from '../../packages/fleet/src/workflow/ends.js'
import type { Outcome } from '../../src/apply/outcome.js'
import type { ServiceFailure } from '../../src/client/failure.js'
import type { SiteProblem } from '../../src/library/problem.js'
import { aSubmission } from '../support/a-submission.js'

const order = { name: 'north', manifest: 'sites/north.yaml' }
const lock = {
  nonce: 'a-lock',
  fence: 3,
  holder: { host: 'ci-17', pid: 7 },
  purpose: 'apply',
  since: 'today',
}
const refused: ServiceFailure = { kind: 'refused', status: 200, code: 400, message: 'No.' }
const unavailable: ServiceFailure = { kind: 'trouble', status: 503 }
const notSent = (cause: 'connection' | 'tls'): ServiceFailure => ({
  kind: 'not-sent',
  cause,
  reason: 'ECONNREFUSED',
})
const stateFailure = (kind: 'unwritable' | 'overtaken' | 'newer') =>
  ({ kind, where: 'postgres', reason: { kind: 'system', message: 'why' } }) as const
const configure = (failure: ServiceFailure): Outcome => ({
  kind: 'not-taken',
  operation: 'configure',
  failure,
})

const outcomes: readonly (readonly [Outcome, string, RegExp])[] = [
  [{ kind: 'done' }, 'end done 0', /^success/],
  [{ kind: 'in-progress', because: 'timeout' }, 'end unfinished 3', /landform fleet resume north/],
  [{ kind: 'in-progress', because: 'detached' }, 'end unfinished 3', /detached/],
  [{ kind: 'in-progress', because: 'interrupted' }, 'end cancelled 130', /interrupted/],
  [
    { kind: 'in-progress', because: 'not-allowed' },
    'end refused 77',
    /spec\.site\.token.*landform fleet resume north/,
  ],
  [
    { kind: 'unknown', operation: 'configure', reason: 'interrupted', nonce: 'n1' },
    'end ambiguous 4',
    /landform state discard-intent sites\/north\.yaml --state postgres:env:LANDFORM_DATABASE_URL --intent n1/,
  ],
  [
    { kind: 'unknown', operation: 'update', reason: 'interrupted' },
    'again failed 4',
    /sending the same policy again/,
  ],
  [{ kind: 'locked', lock, liveness: 'alive' }, 'wait unfinished 7', /process 7 on ci-17/],
  [
    { kind: 'rejected-before', submission: aSubmission({ state: 'rejected' }) },
    'end ambiguous 4',
    /landform apply sites\/north\.yaml --state postgres:env:LANDFORM_DATABASE_URL --resubmit-after-rejection/,
  ],
  [{ kind: 'site-failed', message: 'Broken.', stages: [] }, 'end failed 5', /Broken; check the logs/],
  [
    { kind: 'replaced', because: { kind: 'not-configured-any-more' } },
    'end ambiguous 6',
    /find out what happened/,
  ],
  [configure(refused), 'end failed 5', /landform fleet resume north/],
  [
    { ...configure(refused), isRejected: true } as Outcome,
    'end failed 5',
    /landform apply .* --resubmit-after-rejection/,
  ],
  [configure(unavailable), 'again failed 75', /503/],
  [configure(notSent('connection')), 'again failed 69', /ECONNREFUSED/],
  [configure(notSent('tls')), 'end refused 77', /resume/],
  [{ kind: 'stale', moved: [{ kind: 'state-written' }] }, 'again failed 6', /the site/],
  [{ kind: 'references', diagnostics: [] }, 'end refused 66', /missing or invalid/],
  [{ kind: 'interrupted' }, 'end cancelled 130', /interrupted/],
  [{ kind: 'not-recorded', after: 'nothing', failure: stateFailure('unwritable') }, 'again failed 74', /why/],
  [
    { kind: 'not-recorded', after: 'nothing', failure: stateFailure('overtaken') },
    'wait unfinished 7',
    /why/,
  ],
  [{ kind: 'not-recorded', after: 'configure', failure: stateFailure('newer') }, 'end refused 78', /why/],
]

const url = 'https://gis.example.org/admin'
const problems: readonly (readonly [SiteProblem, string, RegExp])[] = [
  [
    { kind: 'file', what: 'manifest', file: 'a.yaml', because: 'missing', defect: { kind: 'missing' } },
    'end refused 66',
    /a\.yaml does not exist/,
  ],
  [{ kind: 'address', url, because: 'not-allowed' }, 'end refused 65', /is not allowed/],
  [
    { kind: 'proxy', variable: 'HTTPS_PROXY', defect: { kind: 'not-a-url' } },
    'end refused 78',
    /HTTPS_PROXY/,
  ],
  [{ kind: 'look', url, failure: unavailable }, 'again failed 75', /503/],
  [{ kind: 'look', url, failure: notSent('connection') }, 'again failed 69', /could not read/],
  [{ kind: 'state', failure: stateFailure('unwritable') }, 'again failed 74', /postgres/],
  [
    { kind: 'obstacle', blocker: { kind: 'site-too-old' }, diagnostics: [] },
    'end refused 6',
    /upgrade the site/,
  ],
  [
    {
      kind: 'obstacle',
      blocker: { kind: 'site-replaced', submission: aSubmission({ state: 'ready' }) },
      diagnostics: [],
    },
    'end ambiguous 6',
    /landform state discard-intent sites\/north\.yaml .*landform fleet resume north/,
  ],
  [
    {
      kind: 'obstacle',
      blocker: {
        kind: 'site-unrecognized',
        observed: { kind: 'unrecognized', state: 'odd', warnings: [], stages: [] },
      },
      diagnostics: [],
    },
    'end ambiguous 4',
    /"odd".*check the site itself.*landform fleet resume north/,
  ],
]

describe('a run ends or is retried after an apply that', () => {
  test.each(outcomes)('has the outcome %j', (outcome, place, message) => {
    const { kind, end } = classifyOutcome(outcome, order)
    expect(`${kind} ${end.state} ${end.exitCode}`).toBe(place)
    expect(end.message).toMatch(message)
  })

  test.each(problems)('has the problem %j', (problem, place, message) => {
    const { kind, end } = classifyProblem(problem, order)
    expect(`${kind} ${end.state} ${end.exitCode}`).toBe(place)
    expect(end.message).toMatch(message)
  })
})

test('the message names three missing secrets and counts the others', () => {
  const diagnostics = [1, 2, 3, 4, 5].map(at => ({
    code: 'secret/missing' as const,
    severity: 'error' as const,
    message: `secret ${at} is missing`,
    pointer: '/spec' as const,
  }))
  const { end } = classifyOutcome({ kind: 'references', diagnostics }, order)
  expect(end.message).toMatch(/: secret 1 is missing; secret 2 is missing; secret 3 is missing; 2 more; /)
})

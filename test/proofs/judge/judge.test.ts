import type { Facts } from './facts.js'
import { findStuck, type invariants, judge } from './judge.js'

const site = { received: 1, accepted: 1, state: 'ready', hasPolicy: true } as const
const run = { command: 'apply', exitCode: 0, outcome: 'done', sent: { received: 1, accepted: 1 } } as const
const state = { journal: ['intent', 'ready'], isRecorded: true }
const right: Facts = { site, run, state, logs: [['one'], ['one']] }
const kept = { ok: true, value: [{ serial: 1, text: '1' }] } as const

test('a correct run has no violations', () => {
  expect([judge(right), findStuck(right)]).toEqual([[], []])
})

test.each<readonly [keyof typeof invariants, string, Facts]>([
  ['I1', 'a second accepted request', { site: { ...site, accepted: 2 } }],
  ['I1', 'a request without an intent', { site: { ...site, received: 2 } }],
  ['I1', 'an intent without a proof', { state: { ...state, journal: ['intent', 'unknown', 'intent'] } }],
  ['I2', 'success before the site is ready', { site: { ...site, state: 'in-progress' } }],
  ['I2', 'success without a record', { state: { ...state, isRecorded: false } }],
  ['I2', 'a request that the exit code denies', { run: { ...run, exitCode: 69 } }],
  ['I2', 'an exit code that apply does not have', { run: { ...run, exitCode: 1 } }],
  ['I2', 'a report with another exit code', { run: { ...run, report: { exitCode: 3, sent: 'once' } } }],
  [
    'I2',
    'an export that was not carried out',
    { run: { ...run, command: 'exportSite', sent: { received: 1, accepted: 0 } } },
  ],
  ['I3', 'a secret', { secrets: ['the output holds password'] }],
  ['I4', 'a broken chain', { state: { ...state, damage: 'version 2 follows another text' } }],
  ['I4', 'a torn version', { versions: { made: 1, kept, textOf: () => '2' } }],
  ['I4', 'a lost version', { versions: { made: 2, kept, textOf: String } }],
  ['I5', 'a failure without a next command', { run: { ...run, exitCode: 4, printed: 'error' } }],
  ['I6', 'a plan that changes the site', { run: { ...run, command: 'plan', changes: 1 } }],
  ['I7', 'a request to another server', { elsewhere: ['a proxy got a request'] }],
  ['I8', 'a different log', { logs: [['one'], ['two']] }],
])('%s finds %s', (id, _, change) => {
  expect(judge({ ...right, ...change })).toEqual([expect.stringMatching(`^${id}: `)])
})

test('a site is stuck if the exit code of the last run does not match its state', () => {
  expect(findStuck({ ...right, run: { ...run, exitCode: 7 } })).toHaveLength(1)
  expect(findStuck({ ...right, site: { ...site, state: 'failed' } })).toHaveLength(1)
})

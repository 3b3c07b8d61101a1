import {
  compareTickets,
  computeLimits,
  computePlace,
  type Ticket,
} from '../../packages/fleet/src/engine/tickets.js'

const idle = { active: 0, running: 0, workers: 1, limit: 20 }

test.each([
  ['a single worker takes as many as it may', idle, 0, { workerConcurrency: 20 }],
  ['idle workers take few at first', { ...idle, workers: 3 }, 0, { workerConcurrency: 2 }],
  [
    'each of three workers takes its share of 19 sites',
    { ...idle, active: 19, workers: 3 },
    0,
    { workerConcurrency: 7 },
  ],
  ['no worker has more than its limit', { ...idle, active: 1000, workers: 3 }, 0, { workerConcurrency: 20 }],
  [
    'no worker exceeds the limit of all of them',
    { ...idle, fleetLimit: 5 },
    0,
    { workerConcurrency: 5, globalConcurrency: 5 },
  ],
  [
    'a run whose ticket is gone counts as well',
    { ...idle, running: 4, fleetLimit: 5 },
    1,
    { workerConcurrency: 2, globalConcurrency: 2 },
  ],
  [
    'a running site continues even above the limit',
    { ...idle, running: 9, fleetLimit: 5 },
    0,
    { workerConcurrency: 1, globalConcurrency: 1 },
  ],
] as const)('%s', (_, load, taken, limits) => {
  expect(computeLimits(load, taken)).toEqual(limits)
})

test('sites that may have a request in flight come first, then waiting ones, then urgent ones', () => {
  const runs = [
    { name: 'patient', priority: 100 },
    { name: 'urgent', priority: 1 },
    { name: 'waits', priority: 100, phase: 'wait' },
    { name: 'in flight', priority: 100, phase: 'configure' },
  ] as const
  const order = runs.toSorted((a, b) => computePlace(a) - computePlace(b)).map(({ name }) => name)
  expect(order).toEqual(['in flight', 'waits', 'urgent', 'patient'])
})

describe('the queue and its runs', () => {
  const now = 1_000_000
  const run = { site: 'https://a.example/admin', generation: 2, priority: 100 }
  const ticket = (changes: Partial<Ticket>): Ticket => ({
    workflowID: 'apply:https://a.example/admin:2',
    status: 'PENDING',
    executorId: 'ada/1',
    updatedAt: now - 1000,
    ...changes,
  })
  const compared = (ours: readonly (typeof run)[], tickets: readonly Ticket[]) => {
    const { stale, missing } = compareTickets(ours, tickets, { now, executors: ['ada/1'] })
    return { stale: stale.length, missing: missing.length }
  }

  test.each([
    ['a run without a ticket gets one', [run], [], { stale: 0, missing: 1 }],
    [
      'a run that waits in the queue has a ticket',
      [run],
      [ticket({ status: 'ENQUEUED' })],
      { stale: 0, missing: 0 },
    ],
    [
      'a run that a living worker is about to start has a ticket',
      [run],
      [ticket({})],
      { stale: 0, missing: 0 },
    ],
    [
      'a ticket that its worker has not started for a minute is replaced',
      [run],
      [ticket({ updatedAt: now - 61_000 })],
      { stale: 1, missing: 1 },
    ],
    [
      'the ticket of a dead worker is replaced',
      [run],
      [ticket({ executorId: 'ada/0' })],
      { stale: 1, missing: 1 },
    ],
    [
      'a ticket that ended without its run is replaced',
      [run],
      [ticket({ status: 'SUCCESS' })],
      { stale: 1, missing: 1 },
    ],
    [
      'a ticket that ended with its run is deleted',
      [],
      [ticket({ status: 'SUCCESS' })],
      { stale: 1, missing: 0 },
    ],
    [
      'the ticket of an active run stays, however long it takes',
      [],
      [ticket({ updatedAt: 0 })],
      { stale: 0, missing: 0 },
    ],
    [
      'a queued ticket without a run is left for a worker to skip',
      [],
      [ticket({ status: 'ENQUEUED' })],
      { stale: 0, missing: 0 },
    ],
    [
      'the ticket of an earlier run does not count for this one',
      [run],
      [ticket({ workflowID: 'apply:https://a.example/admin:1' })],
      { stale: 0, missing: 1 },
    ],
  ] as const)('%s', (_, ours, tickets, counts) => {
    expect(compared(ours, tickets)).toEqual(counts)
  })
})

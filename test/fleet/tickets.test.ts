import {
  compareTickets,
  computeLimits,
  computePlace,
  type Ticket,
} from '../../packages/fleet/src/engine/tickets.js'

const idle = { active: 0, running: 0, workers: 1, limit: 20 }

test.each([
  ['a worker alone takes what it may have', idle, 0, { workerConcurrency: 20 }],
  ['idle workers take few at first', { ...idle, workers: 3 }, 0, { workerConcurrency: 2 }],
  [
    'of 19 sites each of three workers has its share',
    { ...idle, active: 19, workers: 3 },
    0,
    { workerConcurrency: 7 },
  ],
  ['no worker has more than its limit', { ...idle, active: 1000, workers: 3 }, 0, { workerConcurrency: 20 }],
  [
    'no worker takes more than all of them may',
    { ...idle, fleetLimit: 5 },
    0,
    { workerConcurrency: 5, globalConcurrency: 5 },
  ],
  [
    'a run whose ticket is gone counts, too',
    { ...idle, running: 4, fleetLimit: 5 },
    1,
    { workerConcurrency: 2, globalConcurrency: 2 },
  ],
  [
    'a run goes on where more run than may',
    { ...idle, running: 9, fleetLimit: 5 },
    0,
    { workerConcurrency: 1, globalConcurrency: 1 },
  ],
] as const)('%s', (_, load, taken, limits) => {
  expect(computeLimits(load, taken)).toEqual(limits)
})

test('first goes what may have a request in flight, then what waited, then what is urgent', () => {
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
      'one that waits in the queue has one',
      [run],
      [ticket({ status: 'ENQUEUED' })],
      { stale: 0, missing: 0 },
    ],
    ['so has one that a living worker is about to start', [run], [ticket({})], { stale: 0, missing: 0 }],
    [
      'a worker that does not start it never heard of it',
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
      'so is one that ended without its run',
      [run],
      [ticket({ status: 'SUCCESS' })],
      { stale: 1, missing: 1 },
    ],
    ['one that ended with its run is deleted', [], [ticket({ status: 'SUCCESS' })], { stale: 1, missing: 0 }],
    [
      'that of a run at work stays, however long it takes',
      [],
      [ticket({ updatedAt: 0 })],
      { stale: 0, missing: 0 },
    ],
    [
      'one that no run has is for a worker to skip',
      [],
      [ticket({ status: 'ENQUEUED' })],
      { stale: 0, missing: 0 },
    ],
    [
      'the ticket of an earlier run is not that of this one',
      [run],
      [ticket({ workflowID: 'apply:https://a.example/admin:1' })],
      { stale: 0, missing: 1 },
    ],
  ] as const)('%s', (_, ours, tickets, counts) => {
    expect(compared(ours, tickets)).toEqual(counts)
  })
})

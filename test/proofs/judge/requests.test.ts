import { type FleetFacts, judgeRequests, type Seen } from './requests.js'

/** The requests of a correct run: poll, configure, wait, update. */
function story(site: number, by: string, from = 0): readonly Seen[] {
  return ['root', 'configure', 'root', 'root', 'update'].map((operation, step) => ({
    at: from + step * 100,
    site,
    operation,
    by,
    accepted: operation !== 'root',
  }))
}

const facts: FleetFacts = { sites: [1, 2], losses: [], limit: 2, touchMs: 15_000 }
const [looked, configured, waited, waitedMore, updated] = story(1, 'ada') as [Seen, Seen, Seen, Seen, Seen]
const second = story(2, 'bob')

test('a correct run has no violations', () => {
  expect(judgeRequests([...story(1, 'ada'), ...second], facts)).toEqual({
    violations: [],
    configured: 2,
    touchesMs: [],
    most: 2,
  })
})

test('a visitor may poll a site that another process works on', () => {
  const visit = { ...waited, by: 'ci', at: 150 }
  expect(
    judgeRequests([looked, configured, visit, waited, updated, ...second], {
      ...facts,
      limit: 3,
      visitors: ['ci'],
    }).violations,
  ).toEqual([])
})

test('a worker without a database may poll a site until it is ready, while another takes it over', () => {
  const bob = [
    { ...waited, by: 'bob', at: 250 },
    { ...updated, by: 'bob', at: 260 },
  ]
  const seen = [looked, configured, waited, ...bob, waitedMore, ...second]
  expect(judgeRequests(seen, { ...facts, limit: 3, cutOff: ['ada'] }).violations).toEqual([])
})

test('a site of a killed worker counts for its successor from the kill on', () => {
  const seen = [
    looked,
    configured,
    waited,
    { ...waitedMore, by: 'bob', at: 4000 },
    { ...updated, by: 'bob', at: 4100 },
  ]
  const judged = judgeRequests([...seen, ...second], { ...facts, losses: [{ by: 'ada', at: 250 }] })
  expect(judged).toEqual({ violations: [], configured: 2, touchesMs: [3750], most: 2 })
})

describe('a planted mistake is detected:', () => {
  test.each<readonly [string, readonly Seen[], Partial<FleetFacts>, string]>([
    [
      'a site that is configured twice',
      [looked, configured, { ...configured, at: 110, accepted: false }, waited, updated, ...second],
      {},
      'I1: site 1 got 2 requests to configure',
    ],
    ['a site that was never polled', second, {}, 'I5: site 1 was never polled'],
    [
      'a site that was not finished',
      [looked, configured, waited, ...second],
      {},
      'I5: site 1 has no update in the end',
    ],
    [
      'a configuration that was not accepted',
      [looked, { ...configured, accepted: false }, updated, ...second],
      {},
      'I5: site 1 has no configure in the end',
    ],
    [
      'two workers at one site',
      [looked, { ...waited, by: 'bob', at: 50 }, configured, updated, ...second],
      {},
      'I1: site 1 was worked on by ada and bob at once',
    ],
    [
      'a worker without a database that writes at a site that another has taken over',
      [looked, configured, { ...waited, by: 'bob' }, updated, ...second],
      { cutOff: ['ada'] },
      'I1: site 1 was worked on by ada and bob at once',
    ],
    [
      'a limit that is exceeded',
      [...story(1, 'ada'), ...second],
      { limit: 1 },
      'limit: 2 sites at once by the service, and the limit is 1',
    ],
    [
      'a worker that continues after it lost its sites',
      [looked, configured, waited, updated, ...second],
      { losses: [{ by: 'ada', at: -200 }] },
      'I1: site 1 got a request of ada, which had lost it',
    ],
    [
      'an orphan that waits for too long',
      [looked, configured, { ...updated, by: 'bob', at: 20_000 }, ...second],
      { losses: [{ by: 'ada', at: 150 }] },
      'I5: site 1 was first touched 19850 ms after ada was gone',
    ],
    [
      'an orphan that is abandoned',
      [looked, ...second],
      { faulty: [1], losses: [{ by: 'ada', at: 150 }] },
      'I5: site 1 was abandoned when ada was gone',
    ],
  ])('%s', (_, seen, change, violation) => {
    expect(judgeRequests(seen, { ...facts, ...change }).violations).toContain(violation)
  })
})

import { type Facts, judge } from './judge.js'
import type { Seen } from './service.js'

/** A site as it should go: looked at, configured, waited for, updated. */
function story(site: number, by: string, from = 0): readonly Seen[] {
  return ['root', 'configure', 'root', 'root', 'update'].map((operation, step) => ({
    at: from + step * 100,
    site,
    operation,
    by,
    accepted: operation !== 'root',
  }))
}

const facts: Facts = { sound: [1, 2], losses: [], limit: 2, touchMs: 15_000 }
const [looked, configured, waited, waitedMore, updated] = story(1, 'ada') as [Seen, Seen, Seen, Seen, Seen]
const second = story(2, 'bob')

test('of a run without a mistake nothing is said', () => {
  expect(judge([...story(1, 'ada'), ...second], facts)).toEqual({
    complaints: [],
    configured: 2,
    touchesMs: [],
    most: 2,
  })
})

test('a visitor may look at a site that another has', () => {
  const visit = { ...waited, by: 'ci', at: 150 }
  expect(
    judge([looked, configured, visit, waited, updated, ...second], { ...facts, limit: 3, visitors: ['ci'] })
      .complaints,
  ).toEqual([])
})

test('a worker without a database may look at a site until it is ready, while another takes it over', () => {
  const bob = [
    { ...waited, by: 'bob', at: 250 },
    { ...updated, by: 'bob', at: 260 },
  ]
  const seen = [looked, configured, waited, ...bob, waitedMore, ...second]
  expect(judge(seen, { ...facts, limit: 3, cutOff: ['ada'] }).complaints).toEqual([])
})

test('a site whose worker was killed counts from the kill on for the one that takes it over', () => {
  const seen = [
    looked,
    configured,
    waited,
    { ...waitedMore, by: 'bob', at: 4000 },
    { ...updated, by: 'bob', at: 4100 },
  ]
  const judged = judge([...seen, ...second], { ...facts, losses: [{ by: 'ada', at: 250 }] })
  expect(judged).toEqual({ complaints: [], configured: 2, touchesMs: [3750], most: 2 })
})

describe('a planted mistake is found:', () => {
  test.each<readonly [string, readonly Seen[], Partial<Facts>, string]>([
    [
      'a site that is configured twice',
      [looked, configured, { ...configured, at: 110, accepted: false }, waited, updated, ...second],
      {},
      'site 1 was asked 2 times to configure',
    ],
    ['a site that nobody ever came to', second, {}, 'site 1 was never looked at'],
    [
      'a site that was not brought to its end',
      [looked, configured, waited, ...second],
      {},
      'site 1 has no update in the end',
    ],
    [
      'a configuration that was not accepted',
      [looked, { ...configured, accepted: false }, updated, ...second],
      {},
      'site 1 has no configure in the end',
    ],
    [
      'two workers at one site',
      [looked, { ...waited, by: 'bob', at: 50 }, configured, updated, ...second],
      {},
      'site 1 was worked on by ada and bob at once',
    ],
    [
      'a worker without a database that writes at a site that another has taken over',
      [looked, configured, { ...waited, by: 'bob' }, updated, ...second],
      { cutOff: ['ada'] },
      'site 1 was worked on by ada and bob at once',
    ],
    [
      'a limit that is passed',
      [...story(1, 'ada'), ...second],
      { limit: 1 },
      '2 sites were worked on at once, and the limit is 1',
    ],
    [
      'a worker that goes on after it lost its sites',
      [looked, configured, waited, updated, ...second],
      { losses: [{ by: 'ada', at: -200 }] },
      'site 1 got a request of ada after that had lost it',
    ],
    [
      'an orphan that waits for too long',
      [looked, configured, { ...updated, by: 'bob', at: 20_000 }, ...second],
      { losses: [{ by: 'ada', at: 150 }] },
      'site 1 was first touched 19850 ms after ada was gone',
    ],
    [
      'an orphan that nobody takes',
      [looked, ...second],
      { sound: [2], losses: [{ by: 'ada', at: 150 }] },
      'site 1 was left alone when ada was gone',
    ],
  ])('%s', (_, seen, change, complaint) => {
    expect(judge(seen, { ...facts, ...change }).complaints).toContain(complaint)
  })
})

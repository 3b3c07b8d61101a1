import fc from 'fast-check'
import { demand, matchOperators, preference, taintEffects } from '../../../src/contract/placement.js'
import { describeRejections } from '../../../src/diagnostics/node-rejection.js'
import type { PodPlacementPolicy } from '../../../src/manifest/manifest.js'
import { evaluateNode } from '../../../src/plan/placement/node-fit.js'
import { aNode, anyPolicy } from '../../support/cluster.js'

type Policy = Parameters<typeof anyPolicy>[0]
type Tolerations = PodPlacementPolicy['tolerations']
type Expressions = NonNullable<
  PodPlacementPolicy['nodeAffinity'][typeof demand]
>['nodeSelectorTerms'][number]['matchExpressions']

const demanding = (...terms: readonly Expressions[]): Policy => ({
  nodeAffinity: { [demand]: { nodeSelectorTerms: terms.map(matchExpressions => ({ matchExpressions })) } },
})
describe('the reasons of a node', () => {
  test.each<[string, Policy, Parameters<typeof aNode>[0], readonly string[]]>([
    ['no reason where it takes pods', {}, {}, []],
    [
      'a taint',
      {},
      { taints: [{ key: 'a', value: 'b', effect: 'NoExecute' }] },
      ['the taint a=b:NoExecute is not tolerated'],
    ],
    [
      'a taint without a value',
      {},
      { taints: [{ key: 'a', effect: 'NoSchedule' }] },
      ['the taint a:NoSchedule is not tolerated'],
    ],
    [
      'being cordoned',
      {},
      { unschedulable: true },
      ['the taint node.kubernetes.io/unschedulable:NoSchedule (cordoned) is not tolerated'],
    ],
    [
      'being cordoned, once',
      {},
      { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] },
      ['the taint node.kubernetes.io/unschedulable:NoSchedule (cordoned) is not tolerated'],
    ],
    [
      'a label it lacks',
      demanding([{ key: 'pool', operator: 'In', values: ['a', 'b'] }]),
      {},
      ['pool In [a, b], but it has no pool'],
    ],
    [
      'a label of another value',
      demanding([{ key: 'pool', operator: 'In', values: ['a'] }]),
      { labels: { pool: 'b' } },
      ['pool In [a], but it has pool=b'],
    ],
    [
      'a label it should not have',
      demanding([{ key: 'pool', operator: 'DoesNotExist' }]),
      { labels: { pool: '' } },
      ['pool DoesNotExist, but it has pool='],
    ],
    ['an empty term', demanding([]), {}, ['a term without expressions matches no node']],
    ['no terms', demanding(), {}, ['the policy has no terms']],
    [
      'many values',
      demanding([{ key: 'p', operator: 'In', values: ['a', 'b', 'c', 'd', 'e', 'f'] }]),
      {},
      ['p In [a, b, c, d and 2 more], but it has no p'],
    ],
    [
      'many expressions',
      demanding(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(key => ({ key, operator: 'Exists' }) as const)),
      { labels: { b: '' } },
      [
        `${['a', 'c', 'd', 'e', 'f'].map(key => `${key} Exists, but it has no ${key}`).join(', ')} and 1 more`,
      ],
    ],
    [
      'the nearest of several terms',
      demanding(
        [],
        [
          { key: 'a', operator: 'Exists' },
          { key: 'b', operator: 'Exists' },
        ],
        [
          { key: 'c', operator: 'Exists' },
          { key: 'd', operator: 'Exists' },
        ],
        [
          { key: 'e', operator: 'Exists' },
          { key: 'f', operator: 'Exists' },
        ],
      ),
      { labels: { d: '1', f: '1' } },
      ['term 3 of 4: c Exists, but it has no c'],
    ],
    [
      'the shortest first',
      demanding([{ key: 'p', operator: 'Exists' }]),
      {
        taints: [
          { key: 'dedicated', effect: 'NoSchedule' },
          { key: 'x', effect: 'PreferNoSchedule' },
          { key: 'a', effect: 'NoExecute' },
        ],
      },
      [
        'p Exists, but it has no p',
        'the taint a:NoExecute is not tolerated',
        'the taint dedicated:NoSchedule is not tolerated',
      ],
    ],
  ])('name %s', (_what, policy, node, expected) => {
    expect(describeRejections(evaluateNode(anyPolicy(policy), aNode(node)).rejections)).toEqual(expected)
  })
})

describe('a taint is tolerated as Kubernetes reads it, and not as the service document does,', () => {
  const wider = (taints: readonly object[], ...tolerations: Tolerations) =>
    evaluateNode(anyPolicy({ tolerations }), aNode({ taints })).wider.map(
      ({ toleration, taint }) => `${toleration}:${taint.effect}`,
    )
  const taint = { key: 'd', value: 'v', effect: 'NoSchedule' }
  test.each<[string, readonly object[], Tolerations, readonly string[]]>([
    ['by Equal without an effect', [taint], [{ key: 'd', value: 'v' }], ['0:NoSchedule']],
    ['by Exists without a key', [taint], [{ operator: 'Exists' }], ['0:NoSchedule']],
    ['but not by Equal with all three', [taint], [{ key: 'd', value: 'v', effect: 'NoSchedule' }], []],
    ['but not by Exists on the key', [taint], [{ key: 'd', operator: 'Exists' }], []],
    [
      'but not where another toleration agrees',
      [taint],
      [
        { key: 'd', value: 'v' },
        { key: 'd', operator: 'Exists' },
      ],
      [],
    ],
    [
      'but not where the taint never refuses',
      [{ ...taint, effect: 'PreferNoSchedule' }],
      [{ key: 'd', value: 'v' }],
      [],
    ],
    ['but not where it is not tolerated at all', [taint], [{ key: 'd', value: 'w' }], []],
    [
      'taint by taint',
      [taint, { ...taint, effect: 'NoExecute' }],
      [
        { key: 'd', value: 'v', effect: 'NoSchedule' },
        { key: 'd', value: 'v' },
      ],
      ['1:NoExecute'],
    ],
  ])('%s', (_what, taints, tolerations, expected) => {
    expect(wider(taints, ...tolerations)).toEqual(expected)
  })
})

test.each([
  [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }, 1],
  [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoExecute' }, 2],
  [{ key: 'node.kubernetes.io/unschedulable', value: 'x', effect: 'NoSchedule' }, 2],
])('a cordoned node with the taint %j has %i to tolerate', (taint, count) => {
  const node = aNode({ unschedulable: true, taints: [taint] })
  expect(evaluateNode(anyPolicy({}), node).rejections).toHaveLength(count)
})

test('a preference is told of each node, and absent where there is none', () => {
  const preferring = anyPolicy({
    nodeAffinity: {
      [preference]: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] },
    },
  })
  expect(evaluateNode(preferring, aNode({ labels: { a: '' } })).preferred).toBe(true)
  expect(evaluateNode(preferring, aNode()).preferred).toBe(false)
  const term = { matchExpressions: [{ key: 'a', operator: 'Exists' as const }] }
  const weighted = anyPolicy({ nodeAffinity: { [preference]: [{ weight: 5, preference: term }] } })
  expect(evaluateNode(weighted, aNode({ labels: { a: '' } })).preferred).toBe(true)
  expect(evaluateNode(weighted, aNode()).preferred).toBe(false)
  expect('preferred' in evaluateNode(anyPolicy({}), aNode())).toBe(false)
})

describe('laws of the scheduler', () => {
  const name = fc.constantFrom('a', 'b', 'c')
  const effect = fc.constantFrom(...taintEffects)
  const toleration = fc.oneof(
    fc.record(
      { key: name, operator: fc.constant('Exists' as const), effect },
      { requiredKeys: ['operator'] },
    ),
    fc.record(
      { key: name, operator: fc.constant('Equal' as const), value: name, effect },
      { requiredKeys: ['key'] },
    ),
  )
  const expression = fc
    .tuple(name, fc.constantFrom(...matchOperators), fc.array(name, { minLength: 1 }))
    .map(([key, operator, values]) => ({ key, operator, ...(operator.endsWith('In') && { values }) }))
  const term = fc.array(expression, { maxLength: 3 })
  const terms = fc.array(term, { minLength: 1, maxLength: 3 })
  const node = fc
    .record({
      labels: fc.dictionary(name, name),
      taints: fc.array(fc.record({ key: name, value: name, effect }, { requiredKeys: ['key', 'effect'] }), {
        maxLength: 3,
      }),
      unschedulable: fc.boolean(),
    })
    .map(aNode)
  const takes = (policy: Policy, one: ReturnType<typeof aNode>) =>
    evaluateNode(anyPolicy(policy), one).rejections.length === 0

  test('one more toleration never makes a node refuse', () => {
    fc.assert(
      fc.property(terms, fc.array(toleration), toleration, node, (some, tolerations, more, one) => {
        const policy = demanding(...some)
        if (takes({ ...policy, tolerations }, one))
          expect(takes({ ...policy, tolerations: [more, ...tolerations] }, one)).toBe(true)
      }),
    )
  })

  test('one more term never makes a node refuse, and one more expression never makes it take pods', () => {
    fc.assert(
      fc.property(terms, term, expression, node, (some, more, further, one) => {
        if (takes(demanding(...some), one)) expect(takes(demanding(more, ...some), one)).toBe(true)
        const filled = some.filter(({ length }) => length > 0)
        if (!takes(demanding(...filled), one))
          expect(takes(demanding(...filled.map(each => [...each, further])), one)).toBe(false)
      }),
    )
  })

  test('what refuses is what would have to go', () => {
    fc.assert(
      fc.property(fc.array(toleration), node, (tolerations, one) => {
        const { rejections } = evaluateNode(anyPolicy({ tolerations }), one)
        const refusing = rejections.flatMap(refusal => (refusal.kind === 'taint' ? [refusal.taint] : []))
        const left = { ...one, taints: one.taints.filter(taint => !refusing.includes(taint)) }
        expect(takes({ tolerations }, left)).toBe(true)
        for (const taint of refusing) expect(takes({ tolerations }, { ...left, taints: [taint] })).toBe(false)
      }),
    )
  })

  test('a preference never counts', () => {
    fc.assert(
      fc.property(terms, fc.array(toleration), node, (some, tolerations, one) => {
        const { nodeAffinity = {} } = demanding(...some)
        const preferring = { nodeAffinity: { [preference]: nodeAffinity[demand] }, tolerations }
        expect(takes(preferring as Policy, one)).toBe(takes({ tolerations }, one))
      }),
    )
  })
})

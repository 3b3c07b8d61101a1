import { demand } from '../../../src/contract/placement.js'
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.js'
import type { PodPlacementPolicy } from '../../../src/manifest/manifest.js'
import { placementDiagnostics } from '../../../src/plan/placement/cluster-diagnostics.js'
import {
  listRejectingNodes,
  listTakingNodes,
  previewPlacement,
} from '../../../src/plan/placement/node-fit.js'
import { aManifest } from '../../support/a-manifest.js'
import { aNode } from '../../support/cluster.js'

const tainted = (name: string, ...keys: readonly string[]) =>
  aNode({ name, taints: keys.map(key => ({ key, effect: 'NoSchedule' })) })
const nodes = [tainted('a', 'x', 'y', 'z'), tainted('b', 'x'), tainted('c'), tainted('d', 'x', 'y')]

const policyOf = (...tolerations: PodPlacementPolicy['tolerations']): PodPlacementPolicy => ({
  nodeAffinity: {},
  tolerations,
})

const said = (policy: PodPlacementPolicy | undefined, list = nodes): readonly Diagnostic[] =>
  placementDiagnostics(aManifest(policy === undefined ? {} : { policy }), previewPlacement(policy, list))

describe('a preview', () => {
  test('tells who takes pods, and of the others the nearest first', () => {
    const preview = previewPlacement(policyOf(), nodes)
    expect(listTakingNodes(preview).map(({ node }) => node)).toEqual(['c'])
    expect(listRejectingNodes(preview).map(({ node }) => node)).toEqual(['b', 'd', 'a'])
    expect(preview.fits.map(({ node }) => node)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('puts a node last that no label would help', () => {
    const policy = {
      nodeAffinity: { [demand]: { nodeSelectorTerms: [{ matchExpressions: [] }] } },
      tolerations: [],
    }
    expect(
      listRejectingNodes(
        previewPlacement(
          policy,
          [nodes[0], nodes[1]].flatMap(one => one ?? []),
        ),
      ).map(({ node }) => node),
    ).toEqual(['b', 'a'])
  })

  test.each<[string, PodPlacementPolicy | undefined, string]>([
    ['no policy', undefined, 'none'],
    ['a policy without a demand', policyOf(), 'without-demand'],
    [
      'a demand',
      { ...policyOf(), nodeAffinity: { [demand]: { nodeSelectorTerms: [{ matchExpressions: [] }] } } },
      'with-demand',
    ],
  ])('knows %s', (_what, policy, expected) => {
    expect(previewPlacement(policy, nodes).policy).toBe(expected)
  })
})

describe('what is said of a preview', () => {
  test('is nothing while one node takes pods', () => {
    expect(said(policyOf())).toEqual([])
  })

  test('is nothing without a policy, for the site may have one', () => {
    expect(said(undefined, [tainted('b', 'x')])).toEqual([])
  })

  test('is an error where no node does, at the policy, with the nearest node', () => {
    const [error, ...more] = said(policyOf(), [tainted('a', 'x', 'yy'), tainted('b', 'xxx')])
    expect(more).toEqual([])
    expect(error).toMatchObject({
      code: 'placement/no-node',
      severity: 'error',
      pointer: '/spec/upgrade/podPlacementPolicy',
      place: { file: 'site.yaml', start: { line: 4 } },
      message: 'none of the 2 nodes accepts upgrade pods with this policy',
      help: 'closest match: `b`: the taint xxx:NoSchedule is not tolerated',
    })
  })

  test('counts the other reasons of the nearest node', () => {
    expect(said(policyOf(), [tainted('a', 'x', 'yy')])[0]).toMatchObject({
      message: 'the only node does not accept upgrade pods with this policy',
      help: 'closest match: `a`: the taint x:NoSchedule is not tolerated, and 1 more',
    })
  })

  test('is a warning for each toleration that a node hangs on, at its place', () => {
    const found = said(policyOf({ key: 'w' }, { key: 'x' }, { operator: 'Exists' }))
    expect(found.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
      '/spec/upgrade/podPlacementPolicy/tolerations/1 `a` and 2 more would reject the pods if this toleration were read as the service document says: the taint is `x:NoSchedule`',
      '/spec/upgrade/podPlacementPolicy/tolerations/2 `a` and 1 more would reject the pods if this toleration were read as the service document says: the taint is `y:NoSchedule`',
    ])
    expect(found.every(({ severity }) => severity === 'warning')).toBe(true)
  })

  test('is no warning of a node that refuses anyway', () => {
    expect(said(policyOf({ key: 'x' }), [tainted('c'), tainted('d', 'x', 'y')])).toEqual([])
  })
})

import { readFileSync } from 'node:fs'
import type { PodPlacementPolicy } from '../../../src/manifest/manifest.js'
import { evaluateNode } from '../../../src/plan/placement/node-fit.js'
import { readNodes } from '../../../src/plan/placement/nodes.js'
import { aNodeObject, anyPolicy, jsonBytes } from '../../support/cluster.js'

/** Generated policies and nodes with the verdicts of a real kube-scheduler: v1.34.9, and v1.20.2 says the same. */
interface Oracle {
  readonly sets: readonly {
    readonly nodes: readonly {
      readonly name: string
      readonly labels: object
      readonly taints: readonly object[]
    }[]
    readonly policies: readonly Partial<PodPlacementPolicy>[]
    readonly feasible: readonly (readonly (0 | 1)[])[]
  }[]
}

const { sets }: Oracle = JSON.parse(readFileSync('test/plan/placement/placement-oracle.json', 'utf8'))

test('every verdict is that of a real scheduler', () => {
  const told = sets.flatMap(({ nodes, policies, feasible }) => {
    const read = readNodes(jsonBytes({ kind: 'List', items: nodes.map(aNodeObject) }))
    if (!read.ok) throw new Error('the nodes of the oracle cannot be read')
    return policies.flatMap((policy, p) =>
      read.value.map((node, n) => ({
        where: `${JSON.stringify(policy)} on ${node.name}`,
        ours: evaluateNode(anyPolicy(policy), node).rejections.length === 0,
        theirs: feasible[p]?.[n] === 1,
      })),
    )
  })
  expect(told.filter(({ ours, theirs }) => ours !== theirs)).toEqual([])
  expect(told).toHaveLength(5000)
  expect(told.filter(({ theirs }) => theirs)).toHaveLength(2179)
})

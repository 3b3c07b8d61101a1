import { stripVTControlCharacters } from 'node:util'
import { demand, preference } from '../../src/contract/placement.js'
import type { PodPlacementPolicy } from '../../src/manifest/manifest.js'
import { previewPlacement } from '../../src/plan/placement/node-fit.js'
import { previewStorage } from '../../src/plan/placement/storage.js'
import { buildPlanDocument } from '../../src/plan/saved/plan-document.js'
import {
  buildPlacementSection,
  buildStorageSection,
  placementDocument,
  storageDocument,
} from '../../src/report/cluster-preview.js'
import { renderPlanHtml } from '../../src/report/plan-html.js'
import { formatPlanMarkdown } from '../../src/report/plan-markdown.js'
import { formatPlan, formatSection } from '../../src/report/plan-text.js'
import { coloured, plain } from '../../src/report/terminal.js'
import { aManifest } from '../support/a-manifest.js'
import { aPlan } from '../support/a-plan.js'
import { anOrganization } from '../support/an-organization.js'
import { isAtLength } from '../support/cases.js'
import { aNode } from '../support/cluster.js'
import { hostileMarkup } from '../support/hostile-markup.js'
import { unprintable } from '../support/hostile-texts.js'
import { htmlOf, treeOf } from '../support/markup-tree.js'
import { listSchemaErrors } from '../support/schema-errors.js'

const terms = {
  nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In' as const, values: ['a'] }] }],
}
const nothing: PodPlacementPolicy = { nodeAffinity: {}, tolerations: [] }
const demanding: PodPlacementPolicy = { ...nothing, nodeAffinity: { [demand]: terms } }
const preferring: PodPlacementPolicy = { ...nothing, nodeAffinity: { [preference]: terms } }

const inPool = (name: string, pool = 'a') => aNode({ name, labels: { pool } })
const many = (count: number, pool = 'a') => Array.from({ length: count }, (_, at) => inPool(`n${at}`, pool))
const readLines = (policy: PodPlacementPolicy | undefined, nodes: Parameters<typeof previewPlacement>[1]) =>
  formatSection(buildPlacementSection(previewPlacement(policy, nodes)), plain).slice(0, -1)

describe('the nodes for people', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    [
      'all',
      readLines(demanding, [inPool('x'), inPool('y')]),
      ['Upgrade pods: 2 of 2 nodes satisfy the policy.', '  + x, y  take them'],
    ],
    [
      'one',
      readLines(demanding, [inPool('x'), inPool('long', 'b')]),
      [
        'Upgrade pods: 1 of 2 nodes satisfy the policy.',
        '  + x     takes them',
        '  - long  pool In [a], but it has pool=b',
      ],
    ],
    [
      'none',
      readLines(demanding, [inPool('x', 'b')]),
      ['Upgrade pods: 0 of 1 nodes satisfy the policy.', '  - x  pool In [a], but it has pool=b'],
    ],
    [
      'no policy',
      readLines(undefined, [inPool('x'), aNode({ name: 'y', unschedulable: true })]),
      [
        'Upgrade pods: 1 of 2 nodes take pods without tolerations; the manifest has no placement policy.',
        '  + x  takes them',
        '  - y  the taint node.kubernetes.io/unschedulable:NoSchedule (cordoned) is not tolerated',
      ],
    ],
    [
      'a preference',
      readLines(preferring, [inPool('x'), inPool('y', 'b')]),
      [
        'Upgrade pods: 2 of 2 nodes satisfy the policy.',
        '  + x  takes them, preferred',
        '  + y  takes them, though not preferred',
      ],
    ],
    [
      'a preference for no node',
      readLines(preferring, [inPool('y', 'b')]),
      ['Upgrade pods: 1 of 1 nodes satisfy the policy.', '  + y  takes them, though not preferred'],
    ],
    [
      'a node that is not ready and not marked',
      readLines(nothing, [aNode({ name: 'x', ready: 'Unknown' })]),
      [
        'Upgrade pods: 1 of 1 nodes satisfy the policy.',
        '  ! x  takes them; not ready, though not tainted yet',
      ],
    ],
    [
      'a node that says nothing of itself',
      readLines(nothing, [{ ...inPool('x'), ready: undefined }]),
      ['Upgrade pods: 1 of 1 nodes satisfy the policy.', '  + x  takes them'],
    ],
    [
      'three reasons',
      readLines(demanding, [aNode({ taints: ['a', 'bb'].map(key => ({ key, effect: 'NoSchedule' })) })]),
      [
        'Upgrade pods: 0 of 1 nodes satisfy the policy.',
        '  - n1  pool In [a], but it has no pool; the taint a:NoSchedule is not tolerated; and 1 more',
      ],
    ],
  ])('%s', (_what, lines, expected) => {
    expect(lines).toEqual(expected)
  })

  test('are counted where they are many', () => {
    expect(readLines(demanding, many(13)).at(1)).toBe(
      '  + n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 3 more  take them',
    )
    expect(readLines(demanding, many(13, 'b')).slice(1)).toHaveLength(11)
    expect(readLines(demanding, many(13, 'b')).at(-1)).toBe('  - and 3 more  --format json lists all')
    expect(readLines(demanding, many(11, 'b')).at(-1)).toMatch(/^ {2}- n10 /)
  })
})

const asAdvised = {
  allowVolumeExpansion: true,
  volumeBindingMode: 'WaitForFirstConsumer',
  reclaimPolicy: 'Delete',
}
const classNamed = (storageClass: string, provisioningType?: string) => ({
  size: '16Gi',
  storageClass,
  ...(provisioningType !== undefined && { provisioningType }),
})
const { volumes } = anOrganization()
const storing = (changes: Partial<typeof volumes>) =>
  aManifest({
    organization: anOrganization({
      volumes: Object.assign(
        Object.fromEntries(Object.keys(volumes).map(component => [component, classNamed('gp3')])),
        changes,
      ) as typeof volumes,
    }),
  })

test('the storage classes for people', () => {
  const manifest = storing({
    BLOB: classNamed('gone'),
    QUEUE: classNamed('poor'),
    INDEXER: classNamed('poor'),
    SHARING: classNamed('x', 'STATIC'),
  })
  const poor = {
    name: 'poor',
    allowVolumeExpansion: false,
    volumeBindingMode: 'Immediate',
    reclaimPolicy: 'Retain',
  }
  const section = buildStorageSection(previewStorage(manifest, [{ name: 'gp3', ...asAdvised }, poor]))
  expect(formatSection(section, plain)).toEqual([
    'Storage classes: 2 of 3 that the manifest names exist in the cluster.',
    '  + gp3   4 volumes  exists',
    '  - gone  BLOB  does not exist',
    '  ! poor  QUEUE, INDEXER  volumes cannot be expanded, volumes are provisioned before their pods are scheduled, volumes are retained after their claims are deleted',
    '  ? none  SHARING  not checked, because no class provisions them',
    '',
  ])
})

describe('previews beside a plan', () => {
  const nodes = [
    inPool('x'),
    inPool('y', 'b'),
    aNode({ name: 'z', taints: [{ key: 't', value: 'v', effect: 'NoExecute' }] }),
  ]
  const policies: readonly (PodPlacementPolicy | undefined)[] = [
    undefined,
    nothing,
    demanding,
    preferring,
    { ...demanding, tolerations: [{ key: 't', value: 'v' }] },
    {
      nodeAffinity: { [demand]: { nodeSelectorTerms: [{ matchExpressions: [] }] } },
      tolerations: [{ operator: 'Exists' }],
    },
  ]

  test.each(policies)('fit the schema of its document: %j', policy => {
    const placement = placementDocument(previewPlacement(policy, nodes))
    const storage = storageDocument(
      previewStorage(storing({ BLOB: classNamed('gone') }), [{ name: 'gp3', ...asAdvised }]),
    )
    const document = buildPlanDocument(aPlan())
    expect(listSchemaErrors('plan', { ...document, placement, storage })).toEqual([])
    expect(listSchemaErrors('plan', { ...document, placement: { ...placement, x: 1 } })).not.toEqual([])
    expect(listSchemaErrors('plan', { ...document, storage: { ...storage, classes: 1 } })).not.toEqual([])
  })

  test('name in JSON each node, each reason and its place', () => {
    const policy = { ...demanding, tolerations: [{ key: 't', value: 'v' }] }
    expect(placementDocument(previewPlacement(policy, nodes))).toEqual({
      policy: 'with-demand',
      nodes: 3,
      taking: 1,
      verdicts: [
        { node: 'x', takes: true, ready: true, refusals: [], wider: [] },
        {
          node: 'y',
          takes: false,
          ready: true,
          refusals: [
            {
              kind: 'affinity',
              message: 'pool In [a], but it has pool=b',
              failed: [
                {
                  pointer:
                    '/spec/upgrade/podPlacementPolicy/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchExpressions/0',
                  found: 'b',
                },
              ],
            },
          ],
          wider: [],
        },
        {
          node: 'z',
          takes: false,
          ready: true,
          refusals: [expect.objectContaining({ message: 'pool In [a], but it has no pool' })],
          wider: [{ pointer: '/spec/upgrade/podPlacementPolicy/tolerations/0', taint: 't=v:NoExecute' }],
        },
      ],
    })
    expect(placementDocument(previewPlacement(nothing, nodes)).verdicts[2]?.refusals).toEqual([
      { kind: 'taint', message: 'the taint t=v:NoExecute is not tolerated', taint: 't=v:NoExecute' },
    ])
    expect(placementDocument(previewPlacement(preferring, nodes)).verdicts.map(one => one.preferred)).toEqual(
      [true, false, false],
    )
  })

  test('point in JSON into the term that is nearest', () => {
    const [{ matchExpressions }] = terms.nodeSelectorTerms as [(typeof terms.nodeSelectorTerms)[number]]
    const nodeSelectorTerms = [
      { matchExpressions: [...matchExpressions, ...matchExpressions] },
      { matchExpressions },
    ]
    const policy = { ...nothing, nodeAffinity: { [demand]: { nodeSelectorTerms } } }
    const [verdict] = placementDocument(previewPlacement(policy, [inPool('y', 'b')])).verdicts
    expect(verdict?.refusals[0]).toMatchObject({
      message: 'term 2 of 2: pool In [a], but it has pool=b',
      failed: [{ pointer: expect.stringMatching(/nodeSelectorTerms\/1\/matchExpressions\/0$/), found: 'b' }],
    })
  })

  test('name in JSON what the cluster has of each class', () => {
    const manifest = storing({ BLOB: classNamed('gone'), QUEUE: classNamed('x', 'STATIC') })
    expect(
      storageDocument(previewStorage(manifest, [{ name: 'gp3', ...asAdvised, reclaimPolicy: 'Retain' }])),
    ).toEqual({
      classes: [
        {
          name: 'gp3',
          components: [
            'RELATIONAL_PRIMARY',
            'RELATIONAL_SECONDARY',
            'IN_MEM_CACHE',
            'INDEXER',
            'SHARING',
            'REST_METRICS_API',
          ],
          exists: true,
          ...asAdvised,
          reclaimPolicy: 'Retain',
          faults: ['keeps-volumes'],
        },
        { name: 'gone', components: ['BLOB'], exists: false, faults: [] },
      ],
      others: ['QUEUE'],
    })
  })

  const stored = buildStorageSection(previewStorage(storing({ BLOB: classNamed('gone') }), []))
  const placed = buildPlacementSection(previewPlacement(demanding, nodes))

  test('stand before the counts in its text', () => {
    const text = formatPlan(aPlan(), plain, { sections: [placed, stored] })
    const lines = [placed, stored].flatMap(section => formatSection(section, plain)).join('\n')
    expect(text).toContain(`\n\n${lines}\n`)
    expect(text.replace(`${lines}\n`, '')).toBe(formatPlan(aPlan(), plain))
  })

  test('stand in its Markdown, a table each', () => {
    const text = formatPlanMarkdown(aPlan(), { sections: [placed, stored] })
    expect(text).toContain(
      [
        '#### Upgrade pods: 1 of 3 nodes satisfy the policy.',
        '',
        '|  | Node | Upgrade pods |',
        '| --- | --- | --- |',
        '| `+` | `x` | takes them |',
        '| `-` | `y` | `pool In [a], but it has pool=b` |',
        '',
      ]
        .join('\n')
        .slice(0, -1),
    )
    expect(text).toContain('| `-` | `gone` | `BLOB` | does not exist |')
  })

  test('stand in its page, with what is not fine marked and said', () => {
    const page = renderPlanHtml(aPlan(), { sections: [placed, stored] })
    expect(page).toMatch(/<section class="found">\s*<h2>Upgrade pods<\/h2>/)
    expect(page).toMatch(/<section class="found stop">\s*<h2>Storage classes<\/h2>/)
    expect(page).toContain('<span class="unseen">not OK</span></span><span><code translate="no">gone</code>')
  })

  test('say the same with colours', () => {
    for (const section of [placed, stored]) {
      const [painted, text] = [coloured, plain].map(paint => formatSection(section, paint).join('\n'))
      expect(painted).not.toBe(text)
      expect(stripVTControlCharacters(painted ?? '')).toBe(text)
    }
  })
})

/** Names that a node list may have: others are not read. */
const texts = hostileMarkup.filter(text => text.length > 0 && text.length < 60 && text !== 'gp3')
const plan = { ...aPlan(), actions: [], fields: [] }

const sectionsOf = (text: string) => {
  const matchExpressions = [{ key: text, operator: 'In' as const, values: [text] }]
  const policy = {
    nodeAffinity: { [demand]: { nodeSelectorTerms: [{ matchExpressions }] } },
    tolerations: [],
  }
  const nodes = [
    aNode({ name: text, labels: { [text]: `${text}!` } }),
    aNode({ name: text, labels: { [text]: text } }),
    aNode({ name: text, taints: [{ key: text, value: text, effect: 'NoSchedule' }] }),
  ]
  const desired = aManifest({
    organization: anOrganization({ volumes: { ...volumes, BLOB: { ...volumes.BLOB, storageClass: text } } }),
  })
  return [
    buildPlacementSection(previewPlacement(policy, nodes)),
    buildStorageSection(previewStorage(desired, [])),
  ]
}

test('hostile names of nodes, labels, taints and classes change no shape', () => {
  const shapes = (text: string) => {
    const view = { sections: sectionsOf(text) }
    return [
      formatPlan(plan, plain, view).split('\n').length,
      treeOf(htmlOf(formatPlanMarkdown(plan, view))),
      treeOf(renderPlanHtml(plan, view)).elements,
    ]
  }
  const harmless = shapes('harmless')
  const raw = texts.filter(text => {
    const view = { sections: sectionsOf(text) }
    const lines = [formatPlan(plan, plain, view), formatPlanMarkdown(plan, view)].join('\n').split('\n')
    return lines.some(line => unprintable.test(line))
  })
  expect(raw).toEqual([])
  // Reading pages and Markdown takes long.
  for (const text of texts.filter((_, at) => isAtLength || at % 3 === 0))
    if (JSON.stringify(shapes(text)) !== JSON.stringify(harmless))
      expect({ text, shapes: shapes(text) }).toEqual({ text, shapes: harmless })
})

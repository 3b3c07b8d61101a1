import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { landform } from '../support/landform.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const plain = readFileSync('test/field-cases/plain.yaml', 'utf8').trimEnd()
const [withoutVolumes = ''] = plain.split('  volumes:\n')

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(removeTemporaryFolders)

const validate = (...options: readonly string[]) =>
  landform(['validate', join(folder, 'site.yaml'), ...options], { folder })
const write = (text: string) => writeFileSync(join(folder, 'site.yaml'), text)
const read = () => readFileSync(join(folder, 'site.yaml'), 'utf8')

interface Found {
  readonly code: string
  readonly help: string
  readonly fixable?: true
}

/** What is found of a text, in JSON; the text for people says the same. */
async function findings(text: string): Promise<readonly Found[]> {
  write(text)
  const json = await validate('--format', 'json')
  const { diagnostics } = JSON.parse(json.out) as { readonly diagnostics: readonly Found[] }
  const shown = (await validate()).out.replaceAll(/\s+/g, ' ')
  for (const { code, help = '' } of diagnostics) {
    expect(shown).toContain(code)
    expect(shown).toContain(help.replaceAll(/\s+/g, ' '))
  }
  return diagnostics
}

const code = 'manifest/other-notation'
const policy = (text: string) => `${plain}
  upgrade:
    podPlacementPolicy: # nightly
${text}
`
const affinity = `      nodeAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms:
            - matchExpressions: [{ key: pool, operator: In, values: [upgrade] }]`
const nested = affinity.replaceAll(/^/gm, '  ')
const taint = (text: string) => policy(`      tolerations:\n        - ${text}`)

const volume = (size: string) =>
  `{ size: ${size}, storageClass: gp3, labels: { arcgis/tier: storage, arcgis/app: app } }`
const components = ['RELATIONAL_PRIMARY', 'RELATIONAL_SECONDARY', 'BLOB', 'IN_MEM_CACHE', 'QUEUE', 'INDEXER']
const lastComponents = ['SHARING', 'REST_METRICS_API']
const volumesWith = (text: string, names = [...components, ...lastComponents]) =>
  `${withoutVolumes}  volumes:\n${names.map(name => `    ${name}: ${volume('64Gi')}\n`).join('')}${text}`
const entries = [...components, ...lastComponents].map(
  name =>
    `{ component: ${name}, size: 64Gi, storageClass: gp3, labels: { arcgis/tier: storage, arcgis/app: app } }`,
)
const chartVolume = (name: string) => `    ${name}:
      type: DYNAMIC
      size: 64Gi
      class: gp3
      label1: arcgis/tier=storage
      label2: arcgis/app:app
`
const converted = (name: string) => `    ${name}:
      provisioningType: DYNAMIC
      size: 64Gi
      storageClass: gp3
      labels: { arcgis/tier: storage, arcgis/app: app }
`

describe('is translated, and fixed so that the manifest is valid:', () => {
  test.each<[string, string, string, string]>([
    [
      'the affinity of a pod',
      policy(`      affinity:\n${nested}`),
      'write `nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: pool, operator: In, values: [upgrade] }] }] } }`',
      policy(affinity),
    ],
    [
      'the affinity of a pod, with comments',
      policy(
        `      affinity: # of the pods\n        # the upgrade pool\n${nested}\n      tolerations: [] # none`,
      ),
      'write `nodeAffinity: ',
      policy(`      # of the pods\n      # the upgrade pool\n${affinity}\n      tolerations: [] # none`),
    ],
    [
      'a node selector',
      policy('      nodeSelector: { pool: upgrade } # ours'),
      'write `nodeAffinity: { requiredDuring',
      policy(`${affinity} # ours`),
    ],
    [
      'a node selector in braces',
      `${plain}\n  upgrade: { podPlacementPolicy: { nodeSelector: { pool: upgrade }, tolerations: [] } }\n`,
      'values: [upgrade] }] }] } }`',
      `${plain}\n  upgrade: { podPlacementPolicy: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: pool, operator: In, values: [upgrade] }] }] } }, tolerations: [] } }\n`,
    ],
    [
      'labels to match',
      policy(affinity.replace(/matchExpressions: .*/, 'matchLabels: { pool: upgrade }')),
      'write `matchExpressions: [{ key: pool, operator: In, values: [upgrade] }]`',
      policy(affinity.replace('- matchExpressions: [', '- matchExpressions: [')),
    ],
    [
      'a taint',
      taint('dedicated=upgrade:NoSchedule # ours'),
      'write `{ key: dedicated, operator: Equal, value: upgrade, effect: NoSchedule }`',
      taint('{ key: dedicated, operator: Equal, value: upgrade, effect: NoSchedule } # ours'),
    ],
    [
      'a taint without a value',
      taint('spot:NoExecute'),
      'write `{ key: spot, operator: Exists, effect: NoExecute }`',
      taint('{ key: spot, operator: Exists, effect: NoExecute }'),
    ],
    [
      'taints in one text',
      policy('      tolerations: dedicated=upgrade:NoSchedule,spot:NoExecute'),
      'write `[{ key: dedicated, ',
      policy(
        '      tolerations:\n        - { key: dedicated, operator: Equal, value: upgrade, effect: NoSchedule }\n        - { key: spot, operator: Exists, effect: NoExecute }',
      ),
    ],
    [
      'the volumes of the REST interface',
      `${withoutVolumes}  volumes: # all eight\n${entries.map(one => `    - ${one}\n`).join('')}  logLevel: INFO # after\n`,
      'write `{ RELATIONAL_PRIMARY: { size: 64Gi, storageClass: gp3, labels: { arcgis/tier: storage, arcgis/app: app } }, RELATIONAL_SECONDARY: ',
      `${volumesWith('').replace('volumes:', 'volumes: # all eight')}  logLevel: INFO # after\n`,
    ],
    [
      'the wrapper of the REST interface',
      `${withoutVolumes}  volumes:\n    volumesConfig:\n${entries.map(one => `      - ${one}\n`).join('')}`,
      'write `RELATIONAL_PRIMARY: { size: 64Gi, ',
      volumesWith(''),
    ],
    [
      'a group of the chart',
      volumesWith(chartVolume('prometheus'), [...components, 'SHARING']),
      'write `REST_METRICS_API: { provisioningType: DYNAMIC, size: 64Gi, storageClass: gp3, labels: { arcgis/tier: storage, arcgis/app: app } }`',
      volumesWith(converted('REST_METRICS_API'), [...components, 'SHARING']),
    ],
    [
      'the relational group of the chart, which has two volumes',
      volumesWith(chartVolume('relational'), [...components.slice(2), ...lastComponents]),
      'RELATIONAL_SECONDARY: { provisioningType: DYNAMIC, ',
      volumesWith(converted('RELATIONAL_PRIMARY') + converted('RELATIONAL_SECONDARY'), [
        ...components.slice(2),
        ...lastComponents,
      ]),
    ],
    [
      'the groups of the chart with the fields of a manifest',
      `${withoutVolumes}  volumes:\n${[
        'relational',
        'object',
        'memory',
        'queue',
        'indexer',
        'sharing',
        'prometheus',
      ]
        .map(name => `    ${name}: ${volume('1Ti')} # ${name}\n`)
        .join('')}`,
      'write `RELATIONAL_PRIMARY: { size: 1Ti, ',
      '',
    ],
    [
      'the fields of a volume in the chart',
      volumesWith(
        '    SHARING: { size: 64Gi, class: gp3, labels: { arcgis/tier: api, arcgis/app: sharing } }\n',
        [...components, 'REST_METRICS_API'],
      ),
      'write `storageClass: gp3`',
      volumesWith(
        '    SHARING: { size: 64Gi, storageClass: gp3, labels: { arcgis/tier: api, arcgis/app: sharing } }\n',
        [...components, 'REST_METRICS_API'],
      ),
    ],
    [
      'the field of a volume claim',
      volumesWith(
        '    SHARING:\n      size: 64Gi\n      storageClassName: gp3 # fast\n      labels: { arcgis/tier: api, arcgis/app: sharing }\n',
        [...components, 'REST_METRICS_API'],
      ),
      'write `storageClass: gp3`',
      volumesWith(
        '    SHARING:\n      size: 64Gi\n      storageClass: gp3 # fast\n      labels: { arcgis/tier: api, arcgis/app: sharing }\n',
        [...components, 'REST_METRICS_API'],
      ),
    ],
  ])('%s', async (_, text, help, fixed) => {
    const found = await findings(text)
    expect(new Set(found.map(one => one.code))).toEqual(new Set([code]))
    expect(found[0]).toMatchObject({ help: expect.stringContaining(help), fixable: true })
    const { exitCode, out } = await validate('--fix')
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/1 file, 0 errors, 0 warnings\n$/)])
    if (fixed !== '') expect(read()).toBe(fixed)
    // Every comment is still there.
    const comments = (written: string) => written.match(/#.*/g)?.toSorted()
    expect(comments(read())).toEqual(comments(text))
  })
})

const weighted = `      nodeAffinity:
        preferredDuringSchedulingIgnoredDuringExecution:
          weight: 50
          preference: { matchExpressions: [{ key: zone, operator: In, values: [a] }] }`

describe('is translated, and left to the user:', () => {
  test.each<[string, string, string]>([
    [
      'a node selector beside node affinity',
      policy(`${affinity}\n      nodeSelector: { kubernetes.io/os: linux, disk: ssd }`),
      'add `{ key: kubernetes.io/os, operator: In, values: [linux] }, { key: disk, operator: In, values: [ssd] }` to `matchExpressions` of each required term of `nodeAffinity`',
    ],
    [
      'a node selector with a number',
      policy('      nodeSelector: { generation: 1.10 }'),
      'write `nodeAffinity: { requiredDuring',
    ],
    [
      'an affinity with more than that of nodes',
      policy(`      affinity:\n        podAntiAffinity: {}\n${nested}`),
      ', and remove `podAntiAffinity`: the policy of the service has node affinity and tolerations only',
    ],
    [
      'an affinity of pods alone',
      policy('      affinity: { podAffinity: {} }'),
      'remove it: the policy of the service has node affinity and tolerations only',
    ],
    ...['podAffinity', 'podAntiAffinity', 'topologySpreadConstraints'].map(
      (name): [string, string, string] => [
        name,
        policy(`      ${name}: []`),
        'remove it: the policy of the service has node affinity and tolerations only',
      ],
    ),
    [
      'pod affinity below node affinity',
      policy('      nodeAffinity: { podAffinity: {} }'),
      'remove it: the policy of the service',
    ],
    ...['Gt', 'Lt'].map((operator): [string, string, string] => [
      `the operator ${operator}`,
      policy(affinity.replace('operator: In', `operator: ${operator}`)),
      'the service compares no numbers: list the values of `pool` with `In`, or use another label',
    ]),
    [
      'one preference without a list',
      policy(weighted),
      'write a list: `[{ weight: 50, preference: { matchExpressions: [{ key: zone, operator: In, values: [a] }] } }]`',
    ],
    [
      'volumes with the same component twice',
      `${withoutVolumes}  volumes:\n    - ${entries[2]}\n    - ${entries[2]}\n`,
      'write `{ BLOB: { size: 64Gi, ',
    ],
    [
      'a group beside its component',
      volumesWith(`    object: ${volume('64Gi')}\n`),
      'write `BLOB: { size: 64Gi, ',
    ],
    [
      'a group with a field that nobody knows',
      volumesWith('    sharing: { size: 64Gi, class: gp3, replicas: 2 }\n', [
        ...components,
        'REST_METRICS_API',
      ]),
      'write `SHARING: { size: 64Gi, storageClass: gp3, replicas: 2 }`',
    ],
  ])('%s', async (_, text, help) => {
    const [found] = (await findings(text)).filter(one => one.code === code)
    expect(found?.help).toContain(help)
    expect(found?.fixable).toBeUndefined()
    await validate('--fix')
    expect(read()).toBe(text)
  })
})

test('a rewritten part has the line ends of its file', async () => {
  const windows = (text: string) => text.replaceAll('\n', '\r\n')
  write(windows(policy('      tolerations: spot:NoExecute,dedicated=upgrade-of-the-site:PreferNoSchedule')))
  await validate('--fix')
  const [first, second] = [
    '{ key: spot, operator: Exists, effect: NoExecute }',
    '{ key: dedicated, operator: Equal, value: upgrade-of-the-site, effect: PreferNoSchedule }',
  ]
  expect(read()).toBe(windows(policy(`      tolerations:\n        - ${first}\n        - ${second}`)))
})

test('what an alias stands for is neither shown nor written', async () => {
  const text = volumesWith('    sharing: { size: *size, storageClass: gp3 }\n', [
    ...components,
    'REST_METRICS_API',
  ]).replace('size: 64Gi', 'size: &size 64Gi')
  const [found] = await findings(text)
  expect(found).toMatchObject({ code, help: 'write `SHARING: { size: "…", storageClass: gp3 }`' })
  expect(found?.fixable).toBeUndefined()
})

test('what a base has a part of is not rewritten in one file', async () => {
  writeFileSync(join(folder, 'base.yaml'), policy('      nodeSelector: { pool: upgrade }'))
  write('extends: base.yaml\nspec: { upgrade: { podPlacementPolicy: { nodeSelector: { disk: ssd } } } }\n')
  const { out } = await validate()
  expect(out).toContain('values: [upgrade]')
  expect(out).not.toContain('fixable')
})

test.each([
  ['another effect', 'dedicated=upgrade:Never'],
  ['no effect', 'dedicated=upgrade'],
  ['a plain word', 'dedicated'],
  ['a removal', 'dedicated=upgrade:NoSchedule-'],
  ['an invalid key', 'a b=upgrade:NoSchedule'],
])('a toleration as text with %s has no translation', async (_, text) => {
  expect(await findings(taint(text))).toMatchObject([{ code: 'manifest/wrong-type' }])
})

import { evaluateRule, judgeBy, satisfies } from '../../src/policy/judge.js'
import type { Policy, PolicyRule } from '../../src/policy/policy.js'
import type { JsonValue } from '../../src/schema/json-schema.js'
import { aPolicy } from '../support/a-policy.js'

const ruleOf = ({ rules: [rule] }: Policy) => rule as PolicyRule
const spec = (value: JsonValue) => ({ spec: value })
const volumes = (...sizes: readonly string[]) =>
  spec({ volumes: Object.fromEntries(sizes.map((size, index) => [`V${index}`, { size }])) })
const upgrade = (...tolerations: readonly JsonValue[]) =>
  spec({ upgrade: { podPlacementPolicy: { tolerations } } })
const tolerations = 'spec.upgrade.podPlacementPolicy.tolerations'
const labels = (value: JsonValue) => ({ metadata: { labels: value } })

/** For each requirement, manifests that follow it, and manifests that violate it. */
const table: readonly (readonly [JsonValue, readonly JsonValue[], readonly JsonValue[]])[] = [
  // A single value.
  [
    { 'spec.profile': 'standard-availability' },
    [spec({ profile: 'standard-availability' }), spec({}), spec({ profile: null })],
    [spec({ profile: 'development' }), {}, { spec: 'x' }],
  ],
  [{ 'spec.volumes.*.size': '16Gi' }, [volumes('16Gi', '16384Mi')], [volumes('16G')]],
  [
    { 'spec.administrator.securityQuestion.index': 3 },
    [spec({ administrator: { securityQuestion: { index: 3 } } })],
    [spec({ administrator: { securityQuestion: { index: '3' } } })],
  ],
  // One of several values, or none of them.
  [
    { 'spec.volumes.*.storageClass': { in: ['gp3', 'premium-rwo'] } },
    [spec({ volumes: { BLOB: { storageClass: 'gp3' } } }), spec({}), spec({ volumes: {} })],
    [
      spec({ volumes: { BLOB: { storageClass: 'gp3' }, QUEUE: { storageClass: 'gp2' } } }),
      spec({ volumes: { BLOB: {} } }),
      spec({ volumes: { BLOB: null } }),
      spec({ volumes: 'gp3' }),
    ],
  ],
  [
    { 'spec.logLevel': { notIn: ['DEBUG', 'FINE'] } },
    [spec({ logLevel: 'INFO' }), spec({}), {}],
    [spec({ logLevel: 'DEBUG' })],
  ],
  [
    { 'spec.profile': { not: 'standard-availability' } },
    [spec({ profile: 'development' }), {}],
    [spec({}), spec({ profile: 'standard-availability' })],
  ],
  // Quantities, numbers, versions.
  [
    { 'spec.volumes.*.size': { atLeast: '32Gi' } },
    [volumes('32Gi', '1Ti', '32768Mi', '35G')],
    [
      volumes('31.9Gi'),
      volumes('32G'),
      volumes('64Gi', '1Gi'),
      volumes('much'),
      spec({ volumes: { V: {} } }),
    ],
  ],
  [{ 'spec.volumes.*.size': { atLeast: '1Gi', atMost: '2Gi' } }, [volumes('1.5Gi')], [volumes('3Gi')]],
  [
    { 'spec.site.version': { atLeast: '10.9.1' } },
    [spec({ site: { version: '11.2' } }), spec({ site: { version: '10.9.1' } })],
    [spec({ site: { version: '10.9' } }), spec({ site: { version: 11.2 } }), spec({ site: {} })],
  ],
  [
    { 'spec.systemProperties.timeout': { atMost: 10 } },
    [spec({ systemProperties: { timeout: 10 } })],
    [
      spec({ systemProperties: { timeout: 11 } }),
      spec({ systemProperties: { timeout: '9' } }),
      spec({ systemProperties: { timeout: [9] } }),
      spec({}),
    ],
  ],
  // Whether a field is written; defaults do not count.
  [{ 'spec.profile': { exists: true } }, [spec({ profile: 'development' })], [spec({}), {}]],
  [{ 'spec.profile': { exists: false } }, [spec({}), {}, spec({ profile: null })], [spec({ profile: 'x' })]],
  // Lists.
  [
    { [tolerations]: { contains: { key: 'dedicated', value: 'upgrades' } } },
    [
      upgrade({ key: 'dedicated', value: 'upgrades', effect: 'NoSchedule' }),
      upgrade({ key: 'a' }, { key: 'dedicated', value: 'upgrades' }),
    ],
    [
      upgrade(),
      upgrade({ key: 'dedicated' }),
      upgrade({ key: 'dedicated', value: 'a' }, { key: 'b', value: 'upgrades' }),
      upgrade('dedicated', null),
      spec({ upgrade: { podPlacementPolicy: {} } }),
      spec({}),
      spec({ upgrade: { podPlacementPolicy: { tolerations: { key: 'dedicated', value: 'upgrades' } } } }),
    ],
  ],
  [
    { 'spec.cloudStorage': { contains: {} } },
    [spec({ cloudStorage: [{ name: 'AWS' }] })],
    [spec({ cloudStorage: [] }), spec({})],
  ],
  [
    { 'spec.folders': { contains: '/data/a' } },
    [spec({ folders: ['/x', '/data/a'] })],
    [spec({ folders: ['/data'] }), spec({ folders: '/data/a' })],
  ],
  // A value that is text in one manifest and a list in another is never skipped.
  [
    { 'spec.folders.*': { not: '/etc' } },
    [spec({ folders: ['/data'] }), spec({})],
    [spec({ folders: ['/data', '/etc'] }), spec({ folders: '/data' })],
  ],
  [{ 'spec.folders.*': { exists: false } }, [spec({})], [spec({ folders: '/data' })]],
  [
    { [`${tolerations}.*.operator`]: { not: 'Exists' } },
    [upgrade({ key: 'a', operator: 'Equal' }, { key: 'b' }), upgrade()],
    [upgrade({ key: 'a' }, { operator: 'Exists' })],
  ],
  // Labels: the rest of the path is one key.
  [
    { 'metadata.labels.app.kubernetes.io/part-of': 'gis' },
    [labels({ 'app.kubernetes.io/part-of': 'gis' })],
    [labels({ app: { 'kubernetes.io/part-of': 'gis' } }), labels({}), {}],
  ],
  [
    { 'metadata.labels.*': { like: 'gis-*' } },
    [labels({ a: 'gis-1', b: 'gis-' }), labels({})],
    [labels({ a: 'gis-1', b: 'gi' })],
  ],
  [{ 'metadata.labels.toString': 'x' }, [labels({ toString: 'x' })], [labels({}), {}]],
  // Origins, in any spelling.
  [
    { 'spec.site.url': { origin: ['https://gis.example.org', 'https://other.example.org:8443/'] } },
    [
      spec({ site: { url: 'https://gis.example.org/arcgis/admin' } }),
      spec({ site: { url: 'HTTPS://GIS.example.org:443/x' } }),
      spec({ site: { url: 'https://other.example.org:8443' } }),
    ],
    [
      spec({ site: { url: 'https://gis.example.org.evil.example/admin' } }),
      spec({ site: { url: 'https://gis.example.org@evil.example/' } }),
      spec({ site: { url: 'http://gis.example.org' } }),
      spec({ site: { url: 'https://other.example.org' } }),
      spec({ site: { url: 'gis.example.org' } }),
      spec({ site: { url: 'data:,x' } }),
      spec({ site: {} }),
    ],
  ],
  // Secrets, by their source.
  [
    { 'spec.administrator.password.env': { exists: true } },
    [spec({ administrator: { password: { env: 'LANDFORM_A' } } })],
    [spec({ administrator: { password: { file: 'a' } } }), spec({ administrator: { password: 'Secret1x' } })],
  ],
  // All conditions together.
  [
    { 'spec.profile': 'development', 'spec.logLevel': { exists: true } },
    [spec({ profile: 'development', logLevel: 'INFO' })],
    [spec({ profile: 'development' }), spec({ logLevel: 'INFO' })],
  ],
]

describe.each(table)('a rule that requires %j', (require, keeping, violating) => {
  const policy = aPolicy(require)

  test.each(keeping)('accepts %j', manifest => {
    expect(evaluateRule(ruleOf(policy), manifest)).toBe('pass')
    expect(satisfies(manifest, [policy])).toBe(true)
  })

  test.each(violating)('is violated by %j', manifest => {
    expect(evaluateRule(ruleOf(policy), manifest)).toBe('violation')
    expect(satisfies(manifest, [policy])).toBe(false)
  })
})

describe('a rule with conditions', () => {
  const production = { 'metadata.labels.environment': 'production' }
  const verdict = (when: JsonValue, manifest: JsonValue) =>
    evaluateRule(ruleOf(aPolicy({ 'spec.profile': { not: 'development' } }, { when })), manifest)
  const inProduction = { ...labels({ environment: 'production' }), spec: { profile: 'development' } }

  test('applies if all of them hold', () => {
    const both = { ...production, 'spec.logLevel': 'INFO' }
    expect(verdict(production, inProduction)).toBe('violation')
    expect(verdict(both, inProduction)).toBe('not-applicable')
    expect(verdict(production, spec({ profile: 'development' }))).toBe('not-applicable')
  })

  test('applies if one of several values is as required', () => {
    const some = { 'spec.cloudStorage.*.name': 'AWS' }
    const stored = (...names: string[]) =>
      spec({ profile: 'development', cloudStorage: names.map(name => ({ name })) })
    expect(verdict(some, stored('Azure', 'AWS'))).toBe('violation')
    expect(verdict(some, stored('Azure'))).toBe('not-applicable')
    expect(verdict(some, stored())).toBe('not-applicable')
  })

  test('uses the default of a missing value', () => {
    expect(verdict({ 'spec.profile': 'standard-availability' }, spec({}))).toBe('pass')
  })
})

describe('a violation', () => {
  const said = (policy: Policy, manifest: JsonValue) => judgeBy([policy])(manifest, [])

  test("has the team's message, the position of the value, and the requirement", () => {
    const message = 'Ask the platform team.'
    const policy = aPolicy({ 'spec.volumes.*.size': { atLeast: '32Gi', atMost: '1Ti' } }, { message })
    expect(said(policy, volumes('64Gi', '2Ti', '1Gi'))).toEqual([
      {
        code: 'policy/violated',
        severity: 'error',
        message: '`some-rule`: Ask the platform team',
        help: '`spec.volumes.V1.size` must be at most `1Ti`',
        pointer: '/spec/volumes/V1/size',
        related: [
          { message: 'the rule `some-rule`', place: expect.objectContaining({ file: 'some.policy.yaml' }) },
        ],
      },
      expect.objectContaining({ pointer: '/spec/volumes/V2/size' }),
    ])
  })

  test.each<[JsonValue, string]>([
    [{ 'spec.logLevel': 'INFO' }, 'be `INFO`'],
    [{ 'spec.logLevel': { in: ['INFO', 'FINE'] } }, 'be `INFO` or `FINE`'],
    [{ 'spec.logLevel': { atLeast: '1Gi' } }, ''],
    [{ 'spec.logLevel': { exists: true } }, 'be set'],
    [{ 'spec.logLevel': { like: 'I*' } }, 'match `I*`'],
    [{ 'spec.logLevel': { in: ['INFO'], exists: true } }, 'be `INFO` and be set'],
  ])('says %j if the team has no message', (require, words) => {
    if (words === '') return expect(() => aPolicy(require)).toThrow('has no order')
    const [first] = said(aPolicy(require, { level: 'warning' }), spec({}))
    expect(first).toMatchObject({
      code: 'policy/advised',
      severity: 'warning',
      message: `\`some-rule\`: \`spec.logLevel\` must ${words}`,
    })
    return expect(first).not.toHaveProperty('help')
  })

  test('names a default that is not written', () => {
    const [first] = said(aPolicy({ 'spec.profile': 'development' }), spec({}))
    expect(first?.message).toContain('; the default is `standard-availability`')
  })

  test('never shows the value, which may be a secret in the wrong place', () => {
    const policy = aPolicy({ 'spec.administrator.password.env': { like: 'LANDFORM_*' } })
    const told = said(policy, spec({ administrator: { password: { env: 'Secret1x' } } }))
    expect(told).toHaveLength(1)
    expect(JSON.stringify(told)).not.toContain('Secret1x')
  })

  test('is not reported for a value that is an error already', () => {
    const policy = aPolicy({ 'spec.volumes.*.size': { atLeast: '32Gi' } })
    const known = {
      code: 'volume/size' as const,
      severity: 'error' as const,
      message: '',
      pointer: '/spec/volumes/V0/size' as const,
    }
    const pointers = judgeBy([policy])(volumes('much', '1Gi'), [known]).map(({ pointer }) => pointer)
    expect(pointers).toEqual(['/spec/volumes/V1/size'])
  })

  test('is an error, however many warnings there are', () => {
    const sizes = Array.from({ length: 5000 }, () => '1Gi')
    const advice = aPolicy({ 'spec.volumes.*.size': { atLeast: '32Gi' } }, { level: 'warning' })
    const told = judgeBy([advice, aPolicy({ 'spec.logLevel': 'INFO' })])(volumes(...sizes), [])
    expect(told.length).toBeLessThan(1000)
    expect(told.filter(({ severity }) => severity === 'error')).toHaveLength(1)
  })
})

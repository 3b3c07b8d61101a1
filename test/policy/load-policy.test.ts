import type { Diagnostic } from '../../src/diagnostics/diagnostic.js'
import { loadPolicy } from '../../src/policy/load-policy.js'
import type { JsonValue } from '../../src/schema/json-schema.js'
import { policyText } from '../support/a-policy.js'
import { aSource, startOf } from '../support/changed-manifest.js'
import { listSchemaErrors } from '../support/schema-errors.js'

/** The diagnostics of a policy with one rule that has this requirement. */
const saidOf = (require: JsonValue, rule: Readonly<Record<string, JsonValue>> = {}) =>
  said(policyText({ name: 'some-rule', require, ...rule }))

function listErrors(text: string): readonly Diagnostic[] {
  const loaded = loadPolicy(aSource(text))
  return loaded.ok ? [] : loaded.error
}

function said(text: string): readonly string[] {
  return listErrors(text).map(
    ({ code, message, help }) => `${code}: ${message}${help === undefined ? '' : ` (${help})`}`,
  )
}

describe('a path', () => {
  test.each([
    ['profile', 'did you mean `spec.profile`?'],
    ['spec.profil', 'did you mean `spec.profile`?'],
    ['spce.profile', 'did you mean `spec.profile`?'],
    ['spec.volume.*.sizes', 'did you mean `spec.volumes.*.size`?'],
    ['spec.volumes.BLOB.sise', 'did you mean `spec.volumes.BLOB.size`?'],
    ['spec.volumes.blob.size', 'did you mean `spec.volumes.BLOB.size`?'],
    ['spec.folders.0', 'did you mean `spec.folders.*`?'],
    ['spec.cloudStorage.name', 'did you mean `spec.cloudStorage.*.name`?'],
    ['spec.logLevel.*', ''],
    ['spec.', 'allowed here: `spec.site`'],
    ['.', 'allowed here: `apiVersion`'],
    ['', 'allowed here: `apiVersion`'],
    ['*.*.*.*.*.*.*.*.*', ''],
    ['constructor', 'allowed here: `apiVersion`'],
    ['spec.toString', 'allowed here: `spec.site`'],
    ['spec.volumes.__proto__.size', 'allowed here: `spec.volumes.RELATIONAL_PRIMARY`'],
  ])('%j is invalid', (path, help) => {
    const [first, ...more] = saidOf({ [path]: { exists: true } })
    expect(more).toEqual([])
    expect(first).toMatch(/^policy\/path: (?:a manifest has no field|the path is empty)/)
    expect(first).toContain(help)
  })
})

describe('a comparison that always has the same result', () => {
  test.each<[JsonValue, string]>([
    [{ 'spec.profile': 'dev' }, '`spec.profile` is never `dev`'],
    [{ 'spec.profile': { in: ['development', 'prod'] } }, '`spec.profile` is never `prod`'],
    [{ 'spec.profile': { not: 'developement' } }, '(did you mean `development`?)'],
    [{ kind: 'SitePolicy' }, '`kind` is never `SitePolicy`'],
    [{ 'spec.site.version': 11.2 }, '`spec.site.version` is text, so 11.2 needs quotes'],
    [{ 'spec.site.version': { atLeast: 11.2 } }, 'takes a limit such as "11.2"'],
    [{ 'spec.site.version': { atLeast: 'v11' } }, 'takes a limit such as "11.2"'],
    [{ 'spec.volumes.*.size': { atLeast: 32 } }, 'takes a limit such as "16Gi"'],
    [{ 'spec.volumes.*.size': { atMost: '32' } }, 'takes a limit such as "16Gi"'],
    [{ 'spec.administrator.email': { atLeast: '1Gi' } }, '`spec.administrator.email` has no order'],
    [{ 'spec.administrator.securityQuestion.index': { atLeast: '1' } }, 'takes a limit such as 1'],
    [{ 'spec.volumes': 'gp3' }, '`spec.volumes` is a map; name one of its fields'],
    [{ 'spec.cloudStorage': 'AWS' }, 'is a list; use `contains`, or add `.*` to the path'],
    [{ 'spec.site.url': { contains: 'x' } }, 'is not a list, so `contains` cannot apply to it'],
    [{ 'spec.volumes': { like: 'x' } }, 'is not text'],
    [{ 'spec.site.url': { origin: ['gis.example.org'] } }, '`gis.example.org`, which is not an origin'],
    [{ 'spec.site.url': { origin: ['https://a.example/x'] } }, '(did you mean `https://a.example`?)'],
    [{ 'spec.cloudStorage': { contains: { nam: 'AWS' } } }, '(did you mean `name`?)'],
    [
      { 'spec.upgrade.podPlacementPolicy.tolerations': { contains: { effect: 'NoScedule' } } },
      'has elements whose `effect` is never `NoScedule` (did you mean `NoSchedule`?)',
    ],
    [
      { 'spec.administrator.password': 'Secret1x' },
      '`spec.administrator.password` is a reference to a secret',
    ],
  ])('is reported: %j', (require, words) => {
    const [first, ...more] = saidOf(require)
    expect(more).toEqual([])
    expect(first).toMatch(/^policy\/value: /)
    expect(first).toContain(words)
    expect(first).not.toContain('Secret1x')
  })

  test('is reported in conditions as well', () => {
    const when = { 'spec.profile': 'prod', 'metadata.label.a': 'b' }
    expect(saidOf({ 'spec.profile': 'development' }, { when })).toEqual([
      'policy/value: `spec.profile` is never `prod`',
      'policy/path: a manifest has no field `metadata.label` (did you mean `metadata.labels.a`?)',
    ])
  })
})

describe('a policy in another form', () => {
  const head = 'apiVersion: landform.dev/v1\nkind: SitePolicy\n'
  const rule = 'name: a\n    require: { spec.profile: development }\n'
  test.each([
    ['', '1:1', 'the file is empty'],
    ['- rules\n', '1:1', 'a policy must be a map with fields such as `rules`'],
    [head, '1:1', 'a policy is missing `rules`'],
    [`${head}rule: []\n`, '3:1', 'unknown field `rule` in a policy (did you mean `rules`?)'],
    [`${head}rules: []\n`, '3:8', '`rules` must not be empty'],
    [`${head}rules:\n  - a\n`, '4:5', 'an element of `rules` must be a map'],
    [
      `${head}rules:\n  - require: { spec.profile: development }\n`,
      '4:5',
      'an element of `rules` is missing `name`',
    ],
    [
      `${head}rules:\n  - { name: A b, require: { spec.profile: development } }\n`,
      '4:13',
      'a valid form, such as enough-space',
    ],
    [`${head}rules:\n  - { name: a, require: {} }\n`, '4:25', '`require` must not be empty'],
    [
      `${head}rules:\n  - { name: a, require: { spec.profile: {} } }\n`,
      '4:41',
      '`spec.profile` must not be empty',
    ],
    [
      `${head}rules:\n  - { name: a, require: { spec.profile: { nott: a } } }\n`,
      '4:43',
      '(did you mean `not`?)',
    ],
    [
      `${head}rules:\n  - { name: a, require: { spec.profile: { in: [] } } }\n`,
      '4:47',
      '`in` must not be empty',
    ],
    [
      `${head}rules:\n  - { name: a, require: { spec.profile: { exists: yes } } }\n`,
      '4:51',
      '`exists` must be `true` or `false`',
    ],
    [`${head}rules:\n  - level: fatal\n    ${rule}`, '4:12', '`level` must be `error` or `warning`'],
    [`${head}rules:\n  - ${rule}  - ${rule}`, '6:11', 'there is already a rule named `a`'],
    [
      `${head}rules:\n  - ${rule}    tests: [{ manifest: {} }]\n`,
      '6:13',
      'an element of `tests` is missing `expect`',
    ],
    [`${head.replace('v1', 'v2')}rules:\n  - ${rule}`, '1:13', '`apiVersion` must be `landform.dev/v1`'],
    [`${head}rules: [\n`, '', ''],
  ])('%j is wrong at %s', (text, at, words) => {
    const diagnostics = listErrors(text)
    expect(diagnostics).toHaveLength(1)
    const [first] = diagnostics
    if (at !== '') expect(first && startOf(first)).toBe(at)
    expect(said(text)[0]).toContain(words)
  })
})

describe('the tests of a rule', () => {
  const require = { 'spec.profile': { not: 'development' } }
  const when = { 'metadata.name': 'production' }
  const testOf = (manifest: JsonValue, expected: string) => ({
    tests: [{ manifest, expect: expected }],
    when,
  })
  const named = (profile: string, name = 'production') => ({ metadata: { name }, spec: { profile } })

  test.each([
    [named('development'), 'violation'],
    [named('standard-availability'), 'pass'],
    [named('development', 'a'), 'not-applicable'],
    [{ metadata: { name: 'production' } }, 'pass'],
    [{}, 'not-applicable'],
  ])('%j has the result %s and no other', (manifest, verdict) => {
    for (const expected of ['pass', 'violation', 'not-applicable']) {
      const found = saidOf(require, testOf(manifest, expected))
      expect(found).toEqual(
        expected === verdict
          ? []
          : [
              expect.stringContaining(
                `policy/test: the test of \`some-rule\` expects \`${expected}\`, but the result is \`${verdict}\``,
              ),
            ],
      )
    }
  })

  test('report what was violated', () => {
    const [first] = saidOf(require, testOf(named('development'), 'pass'))
    expect(first).toContain('(`spec.profile` must not be `development`)')
  })

  test.each<[JsonValue, string]>([
    [{ spec: { profil: 'development' } }, '`spec.profil` (did you mean `spec.profile`?)'],
    [{ spec: { volumes: { BLOBB: {} } } }, '`spec.volumes.BLOBB` (did you mean `spec.volumes.BLOB`?)'],
    [{ spec: { cloudStorage: [{ nam: 'a' }] } }, '`spec.cloudStorage[0].nam`'],
    [{ spec: { profile: ['development'] } }, '`spec.profile[0]`'],
    [{ profile: 'development' }, '`profile`'],
  ])('have only fields of manifests: %j', (manifest, words) => {
    expect(saidOf(require, testOf(manifest, 'pass'))).toEqual([expect.stringContaining(words)])
  })

  test('may have any label, property and parameter', () => {
    const manifest = {
      metadata: { labels: { a: 'b' } },
      spec: { systemProperties: { a: { b: 1 } }, extra: { a: [] } },
    }
    expect(saidOf(require, testOf(manifest, 'not-applicable'))).toEqual([])
  })
})

test('a policy is identified by the digest of its bytes', () => {
  const one = loadPolicy(aSource(policyText({ name: 'a', require: { 'spec.logLevel': 'INFO' } }), 'a.yaml'))
  const other = loadPolicy(aSource(policyText({ name: 'b', require: { 'spec.logLevel': 'INFO' } }), 'a.yaml'))
  if (!one.ok || !other.ok) throw new Error('both are right')
  expect(one.value).toMatchObject({ file: 'a.yaml', digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) })
  expect(one.value.digest).not.toBe(other.value.digest)
})

describe('the published schema', () => {
  const document = (require: JsonValue) => JSON.parse(policyText({ name: 'a', require }))

  test('accepts what the program accepts', () => {
    expect(listSchemaErrors('policy', document({ 'spec.volumes.*.size': { atLeast: '32Gi' } }))).toEqual([])
    expect(listSchemaErrors('policy', document({ 'metadata.labels.a.b/c': 'd' }))).toEqual([])
  })

  test('rejects an unknown operator, at a known path and at any other', () => {
    for (const path of ['spec.profile', 'metadata.labels.a'])
      expect(listSchemaErrors('policy', document({ [path]: { nott: 'a' } }))).not.toEqual([])
  })
})

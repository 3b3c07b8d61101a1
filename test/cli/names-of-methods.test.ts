import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../src/cli/run.js'
import { canonical, digestCanonical } from '../../src/plan/canonical.js'
import type { JsonObject, JsonValue } from '../../src/schema/json-schema.js'
import type { JsonPointer } from '../../src/schema/pointer.js'
import { aReviewedPlan } from '../support/a-reviewed-plan.js'
import { isAtLength } from '../support/cases.js'
import { quickstartFolder } from '../support/example-copy.js'
import { fakeHost } from '../support/fake-host.js'
import { aFullManifest, changed, pointersIn } from '../support/manifest-value.js'
import { someSecrets } from '../support/some-secrets.js'

/** Values whose conversion to text or to a number fails because the methods for it are not functions. */
const values: readonly JsonValue[] = [
  { toString: 1 },
  [{ toString: 1 }],
  { toString: 1, valueOf: 1 },
  { constructor: 1, hasOwnProperty: { toString: 'x' } },
  JSON.parse('{ "__proto__": { "toString": 1 }, "toJSON": 1 }'),
]

/** Texts that name a member of every object. */
const names = ['toString', 'constructor', '__proto__', 'hasOwnProperty']

/** Yields a document with each of its values replaced, in the short form by some of the values in turn. */
function* variantsOf(document: JsonObject): Generator<readonly [JsonPointer, JsonValue, JsonObject]> {
  const all = [...values, ...names]
  for (const [at, pointer] of pointersIn(document).entries())
    for (const [index, value] of all.entries())
      if (pointer !== '' && (isAtLength || index < 2 || index === 2 + (at % (all.length - 2))))
        yield [pointer, value, changed(document, pointer, value)]
}

/** Runs commands on every variant, and returns those that ended with an unexpected exception. */
async function listCrashes(
  document: JsonObject,
  file: string,
  commands: readonly (readonly string[])[],
  format: (variant: JsonObject) => string = JSON.stringify,
) {
  const crashes: unknown[] = []
  const exitCodes = new Set<number>()
  let count = 0
  for (const [pointer, value, variant] of variantsOf(document)) {
    writeFileSync(file, format(variant))
    for (const words of commands) {
      count += 1
      try {
        exitCodes.add(await run(words, fakeHost({ environment: someSecrets })))
      } catch (error) {
        crashes.push([words[0], pointer, value, `${error}`])
      }
    }
  }
  return { crashes, exitCodes: [...exitCodes].sort(), count }
}

test('no value with the name of a method, anywhere in a manifest, causes an internal error', async () => {
  const folder = await quickstartFolder()
  const file = join(folder, 'site.yaml')
  const { crashes, exitCodes, count } = await listCrashes(aFullManifest(), file, [
    ['validate', file],
    ['validate', '--fix', '--dry-run', file],
    ['render', file],
  ])
  expect(crashes).toEqual([])
  expect(exitCodes).toEqual([0, 65])
  expect(count).toBeGreaterThan(600)
})

test.each<[string, JsonObject, (folder: string) => readonly string[]]>([
  [
    'a policy',
    {
      apiVersion: 'landform.dev/v1',
      kind: 'SitePolicy',
      plan: {
        signedBy: ['a.pem'],
        maxAge: '1h',
        hours: { days: ['Mon'], start: '08:00', end: '09:00', timeZone: 'UTC' },
      },
      rules: [
        {
          name: 'a',
          level: 'warning',
          message: 'm',
          when: { 'metadata.name': 'production' },
          require: {
            'spec.profile': { not: 'development' },
            'spec.volumes.BLOB.size': { atLeast: '1Gi' },
            'spec.folders': { contains: '/a' },
            'spec.upgrade.podPlacementPolicy.tolerations': { contains: { key: 'a', effect: 'NoSchedule' } },
            'spec.site.url': { origin: ['https://gis.example.org'] },
            'metadata.labels.team': { exists: true, like: 'a*' },
          },
          tests: [{ manifest: { metadata: { name: 'production' } }, expect: 'pass' }],
        },
      ],
    },
    folder => ['validate', join(folder, 'site.yaml'), '--policy', join(folder, 'it.yaml')],
  ],
  [
    'a test file',
    {
      apiVersion: 'landform.dev/v1',
      kind: 'SiteTest',
      manifest: 'site.yaml',
      tests: [
        {
          name: 'a',
          with: { spec: { profile: 'development' } },
          site: { version: '11.2', faults: ['root@1=drop-after'], seed: 1 },
          apply: { timeout: '20m' },
          expect: {
            exitCode: 0,
            configured: 1,
            within: '30m',
            diagnostics: [{ code: 'volume/size-small', at: 'spec.profile' }],
            policy: ['a'],
            events: ['configure-accepted'],
            plan: { actions: [{ operation: 'configure', change: 'create', reason: 'not-configured' }] },
            requests: [{ operation: 'configure', parameters: { username: 'siteadmin', a: [1] } }],
          },
          next: [{ expect: { exitCode: 0 } }],
        },
      ],
    },
    folder => ['test', join(folder, 'it.yaml')],
  ],
  [
    'a scenario',
    { summary: 'a', faults: ['configure@1=drop-after'], seed: 42 },
    folder => [
      'apply',
      '--yes',
      '--emulate',
      '--scenario',
      join(folder, 'it.yaml'),
      join(folder, 'site.yaml'),
    ],
  ],
])('nor anywhere in %s', async (_, document, words) => {
  const folder = await quickstartFolder()
  const { crashes, exitCodes } = await listCrashes(document, join(folder, 'it.yaml'), [words(folder)])
  expect(crashes).toEqual([])
  expect(exitCodes).not.toContain(70)
  expect(exitCodes).toContain(65)
})

test('nor anywhere in a saved plan with a recomputed id', async () => {
  const { plan } = await aReviewedPlan()
  const { id: _, ...content } = JSON.parse(readFileSync(plan, 'utf8')) as JsonObject
  const { crashes, exitCodes } = await listCrashes(content, plan, [['show', plan]], variant =>
    canonical({ ...variant, id: digestCanonical(variant) }),
  )
  expect(crashes).toEqual([])
  expect(exitCodes).not.toContain(70)
})

test('nor anywhere in a state with a recomputed checksum', async () => {
  const { folder, landform } = await aReviewedPlan()
  const [manifest, place] = [join(folder, 'production/site.yaml'), join(folder, 'kept')]
  expect((await landform('apply', '--yes', manifest, '--state', `file:${place}`)).exitCode).toBe(0)
  const kept = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.json'),
  )
  const newest = join(place, kept.sort().at(-1) ?? '')
  const { checksum: _, ...content } = JSON.parse(readFileSync(newest, 'utf8')) as JsonObject
  const state = ['--state', `file:${place}`]
  const { crashes, exitCodes } = await listCrashes(
    content,
    newest,
    [
      ['state', 'show', manifest, ...state],
      ['drift', manifest, ...state],
    ],
    variant => JSON.stringify({ ...variant, checksum: digestCanonical(variant) }),
  )
  expect(crashes).toEqual([])
  expect(exitCodes).not.toContain(70)
})

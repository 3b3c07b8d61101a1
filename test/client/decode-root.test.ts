import { decodeRoot } from '../../src/client/decode-root.js'
import type { Observation } from '../../src/plan/observation.js'
import type { JsonObject, JsonValue } from '../../src/schema/json-schema.js'

/** Decodes a root resource with this status, which may be JSON text. */
function observed(status: JsonValue | string): Observation {
  const text = typeof status === 'string' ? status : JSON.stringify(status)
  const bytes = Buffer.from(`{"fullVersion":"11.2.0","resources":["orgs"],"status":${text}}`)
  const root = decodeRoot({ status: 200, bytes })
  if (!root.ok) throw new Error(`not a root resource: ${JSON.stringify(root.error)}`)
  return root.value
}

const decoded = (root: JsonValue | string, status = 200) =>
  decodeRoot({ status, bytes: Buffer.from(typeof root === 'string' ? root : JSON.stringify(root)) })

const stage = (state: string): JsonObject => ({ name: 'Configuration store', state })

describe('the state of a site', () => {
  test.each<[JsonObject, Observation['kind']]>([
    [{}, 'not-configured'],
    [{ message: 'Welcome' }, 'not-configured'],
    [{ stages: [] }, 'not-configured'],
    [{ stages: [stage('not_started'), stage('not_applicable')] }, 'not-configured'],
    [{ state: 'not_configured' }, 'not-configured'],
    [{ state: 'not_configured', stages: [stage('not_started')] }, 'not-configured'],
    [{ state: 'in_progress' }, 'in-progress'],
    [{ state: 'in_progress', warnings: [], stages: [stage('completed')] }, 'in-progress'],
    [{ state: 'configured' }, 'in-progress'],
    [{ warnings: [] }, 'in-progress'],
    [{ stages: [stage('in_progress')] }, 'in-progress'],
    [{ stages: [stage('completed')] }, 'in-progress'],
    [{ stages: [stage('not_started'), stage('a new state')] }, 'in-progress'],
    [{ state: 'ready' }, 'ready'],
    [{ state: 'ready', warnings: ['careful'], stages: [stage('not_started')] }, 'ready'],
    [{ state: 'failed' }, 'failed'],
    [{ state: 'FAILED', warnings: [] }, 'failed'],
    [{ state: 'Failed' }, 'failed'],
    [{ state: 'READY' }, 'ready'],
    [{ state: 'IN_PROGRESS' }, 'in-progress'],
    [{ state: 'NOT_CONFIGURED' }, 'not-configured'],
    [{ state: 'Configured' }, 'in-progress'],
    [{ state: 'not_configured', warnings: [] }, 'not-configured'],
    [{ state: 'not_configured', warnings: ['', null, ' '] }, 'not-configured'],
    [{ state: null }, 'not-configured'],
    [{ state: null, message: null, warnings: null, stages: null }, 'not-configured'],
    [{ state: 'ready', message: 7, warnings: {}, stages: 'none' }, 'ready'],
  ])('%j is %s', (status, kind) => {
    expect(observed(status).kind).toBe(kind)
  })

  test.each<[JsonValue, Partial<Observation>]>([
    [null, { kind: 'not-configured', implied: true }],
    ['"ready"', { kind: 'unrecognized', state: 'ready' }],
    [[], { kind: 'unrecognized' }],
    [{ state: 7 }, { kind: 'unrecognized', state: '7' }],
    [{ state: true }, { kind: 'unrecognized', state: 'true' }],
    [{ state: { ready: true } }, { kind: 'unrecognized' }],
  ])('of another type, %j, is %j', (status, site) => {
    expect(observed(status)).toMatchObject(site)
  })

  test.each([
    { state: '' },
    { state: 'ready ' },
    { state: 'in-progress' },
    { state: 'failover' },
    { state: 'error_recovering' },
    { state: 'configuration_failure' },
    { state: 'error' },
    { state: 'cancelled' },
    { state: 'upgrading' },
    { state: 'maintenance', warnings: [] },
    { state: 'constructor' },
    { state: '__proto__' },
    { state: 'not_configured', warnings: ['No nodes'] },
    { state: 'Not_Configured', stages: [stage('completed')] },
  ])('%j is unrecognized, with the state as it was sent', status => {
    expect(observed(status)).toMatchObject({ kind: 'unrecognized', state: status.state })
  })
})

test.each<[JsonObject, object]>([
  [
    { state: 'not_configured', warnings: ['', 'No nodes'] },
    { kind: 'warning', text: 'No nodes' },
  ],
  [
    { state: 'not_configured', stages: [stage('not_started'), stage('completed')] },
    { kind: 'stage', name: 'Configuration store', state: 'completed' },
  ],
  [
    { state: 'not_configured', stages: [{ state: 'in_progress' }] },
    { kind: 'stage', name: '', state: 'in_progress' },
  ],
])('%j is unrecognized, with the contradiction', (status, contradiction) => {
  expect(observed(status)).toMatchObject({ kind: 'unrecognized', contradiction })
})

describe('a root resource', () => {
  const ready = { state: 'ready' }
  const root = { fullVersion: '11.2.0', resources: ['orgs'], currentVersion: 11.2, status: ready }

  test.each<[JsonValue | string, object]>([
    [
      { ...root, info: { build: '1000' } },
      { version: '11.2.0', build: '1000' },
    ],
    [{ ...root, info: null }, { version: '11.2.0' }],
    [{ ...root, info: { build: null } }, { version: '11.2.0' }],
    [{ ...root, info: '1000' }, { malformed: ['info'] }],
    [{ ...root, info: { build: 1000 } }, { malformed: ['info.build'] }],
    [{ ...root, resources: null }, {}],
    [{ ...root, resources: 'orgs' }, { malformed: ['resources'] }],
    [{ ...root, resources: [1, null, {}] }, {}],
    [{ ...root, currentVersion: '11.2' }, { malformed: ['currentVersion'] }],
    [
      { ...root, fullVersion: null },
      { version: '11.2', isRounded: true },
    ],
    [{ ...root, fullVersion: '' }, { version: '11.2' }],
    [{ ...root, fullVersion: 11.2 }, { malformed: ['fullVersion'] }],
    [{ resources: ['orgs'], currentVersion: 12, status: ready }, { version: '12.0' }],
    ['{"currentVersion":10.9.1,"status":{"state":"ready","message":"At 1.2.3."}}', { version: '10.9.1' }],
    [{ status: ready }, {}],
    [{ ...root, error: null, other: [{ field: 1 }] }, { version: '11.2.0' }],
    [`\ufeff${JSON.stringify(root)}`, { version: '11.2.0' }],
    [`\r\n${JSON.stringify(root, null, 4)}\r\n`, { version: '11.2.0' }],
    ['{"status":{"state":"ready","stages":[{"name":"a","state":"b","startTime":1e400}]}}', {}],
  ])('of a site that is ready: %j', (body, site) => {
    for (const status of [200, 201])
      expect(decoded(body, status)).toMatchObject({ ok: true, value: { kind: 'ready', ...site } })
  })

  test('without a status is of a site that is not configured', () => {
    expect(decoded({ resources: ['orgs'] })).toMatchObject({
      value: { kind: 'not-configured', implied: true },
    })
  })

  test.each<[JsonValue | string | Buffer, number?]>([
    [{ fullVersion: '1', currentVersion: 1, status: {} }],
    [{ resources: ['users', 'logs'] }],
    [{ status: 'success' }],
    [{ status: 'UP' }],
    [{}],
    [[root]],
    [null],
    ['\ufeff'],
    [JSON.stringify(root).slice(0, -9)],
    [Buffer.from('{"status":{"state":"ready\xff"}}', 'latin1')],
    [Buffer.from(JSON.stringify(root), 'utf16le')],
    [Buffer.from([0x1f, 0x8b, 8, 0])],
    [root, 410],
  ])('is not recognized in another form (case %#)', (body, status) => {
    const answer = Buffer.isBuffer(body) ? decodeRoot({ status: 200, bytes: body }) : decoded(body, status)
    expect(answer).toMatchObject({ ok: false, error: { kind: 'not-understood' } })
  })
})

describe("the other fields of a site's status", () => {
  test('are returned unchanged', () => {
    const stages = [{ name: 'Usage Statistics', state: 'in_progress', startTime: 1, lastUpdated: 2 }]
    expect(observed({ state: 'in_progress', message: 'Creating', warnings: ['w'], stages })).toEqual({
      kind: 'in-progress',
      version: '11.2.0',
      message: 'Creating',
      warnings: ['w'],
      stages,
    })
  })

  test('are omitted and named if their type is wrong, and null counts as absent', () => {
    const stages = [
      { name: 'A', state: 'COMPLETED', startTime: null, lastUpdated: null },
      { name: 'B', state: 'in_progress', startTime: '12', lastUpdated: 1.5 },
      { name: 'C' },
      { state: 'completed' },
      null,
      'D',
    ]
    const told = observed({ state: 'in_progress', message: 7, warnings: 'none', stages })
    expect(told).toEqual({
      kind: 'in-progress',
      version: '11.2.0',
      warnings: [],
      stages: [
        { name: 'A', state: 'completed' },
        { name: 'B', state: 'in_progress' },
      ],
      malformed: [
        'status.message',
        'status.warnings',
        'status.stages.startTime',
        'status.stages.lastUpdated',
        'status.stages',
      ],
    })
  })

  test('have empty lists as defaults', () => {
    expect(observed({})).toEqual({
      kind: 'not-configured',
      version: '11.2.0',
      warnings: [],
      stages: [],
    })
  })

  test('are limited in length', () => {
    const stages = Array.from({ length: 5000 }, (_, index) => ({ name: `s${index}`, state: 'completed' }))
    const warnings = Array.from({ length: 5000 }, (_, index) => `w${index}`)
    const { stages: kept, warnings: told } = observed({ state: 'in_progress', stages, warnings })
    expect(kept).toEqual(stages.slice(0, 100))
    expect(told).toEqual(warnings.slice(0, 50))
  })

  test.each([
    ['an object', '{"a":1}'],
    ['an object that cannot be converted to text', '{"toString":1,"valueOf":1}'],
    ['a deep list', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['a number', '7'],
  ])('include a warning that is %s as some text, and all other warnings', (_what, warning) => {
    const { warnings } = observed(`{"state":"ready","warnings":["before",${warning},"after"]}`)
    expect(warnings.length).toBe(3)
    expect(warnings[0]).toBe('before')
    expect(typeof warnings[1]).toBe('string')
    expect(warnings[2]).toBe('after')
  })

  test('include only the documented fields of a stage', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const { stages } = observed(`{"stages":[{"name":"a","state":"b","startTime":0,"more":${deep}}]}`)
    expect(stages.map(stage => Object.keys(stage))).toEqual([['startTime', 'name', 'state']])
    expect(JSON.stringify(stages)).toBe('[{"startTime":0,"name":"a","state":"b"}]')
  })

  test('include a warning that is an object as JSON', () => {
    expect(observed({ warnings: [{ code: 7, text: 'disk' }] }).warnings[0]).toContain('disk')
  })
})

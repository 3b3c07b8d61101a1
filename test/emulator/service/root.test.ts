import { stageNames } from '../../../src/contract/stages.js'
import type { ServiceVersion } from '../../../src/contract/versions.js'
import { formatAnswer } from '../../../src/emulator/service/answers.js'
import { newWorld } from '../../../src/emulator/service/world.js'
import { aConfigure, aForm, after, aRequest, aRootRequest, ask, begin, outcome } from './builders.js'

test('before a configuration the root resource reports its version and claims no state', () => {
  const response = ask(newWorld(), aRootRequest())
  expect(response.httpStatus).toBe(200)
  expect(response.body).toEqual({
    fullVersion: '11.2.0',
    resources: ['orgs', 'logs', 'system', 'datastores', 'uploads', 'services'],
    currentVersion: 11.2,
    status: {},
    info: { build: expect.any(String) },
  })
})

test.each<[ServiceVersion, string, number]>([
  ['10.9', '10.9.0', 10.9],
  ['10.9.1', '10.9.1', 10.9],
  ['11.1', '11.1.0', 11.1],
  ['12.0', '12.0.0', 12],
])('version %s is reported as %s and %d', (version, fullVersion, currentVersion) => {
  expect(ask(newWorld({ version }), aRootRequest()).body).toMatchObject({ fullVersion, currentVersion })
})

test('while a configuration runs the root resource reports stages with start times', () => {
  const world = after(newWorld({ stageMs: 100 }), begin, aConfigure())
  const { body } = ask(world, aRootRequest(), begin + 1150)
  expect(body['status']).toMatchObject({ state: 'in_progress', warnings: [] })
  const { stages } = body['status'] as unknown as { stages: readonly Record<string, unknown>[] }
  expect(stages.map(stage => stage['name'])).toEqual(stageNames)
  expect(stages[0]).toEqual({
    name: 'License validation',
    state: 'completed',
    lastUpdated: begin + 100,
    startTime: begin,
  })
  expect(stages[3]).toMatchObject({ state: 'not_applicable', startTime: 0 })
  expect(stages[12]).toMatchObject({ state: 'in_progress', startTime: begin + 1100 })
  expect(stages[13]).toMatchObject({ state: 'not_started', startTime: 0 })
  expect(stages[11]).toMatchObject({ name: 'Usage statistics' })
})

test('when every stage is finished the site is ready and the message says that the organization was created', () => {
  const world = after(newWorld({ stageMs: 100 }), begin, aConfigure())
  expect(ask(world, aRootRequest(), begin + 1300).body['status']).toMatchObject({
    state: 'ready',
    message: expect.stringMatching(/organization was created successfully/),
    warnings: [],
  })
})

test('asking for the root resource changes nothing but a counter', () => {
  const world = newWorld()
  const counters = { ...world.counters, root: { received: 1, accepted: 1 } }
  expect(after(world, begin, aRootRequest())).toEqual({ ...world, counters })
})

test('the root resource is also answered to POST, with a form or without a body', () => {
  const empty = aRequest({ operation: 'root' }, { encoding: 'none', parts: [] })
  const expected = ask(newWorld(), aRootRequest()).body
  expect(ask(newWorld(), empty).body).toEqual(expected)
  expect(ask(newWorld(), aForm({ operation: 'root' }, { f: 'json' })).body).toEqual(expected)
})

test('the root resource is not answered to multipart form data', () => {
  const request = aRequest({ operation: 'root' }, { encoding: 'multipart', parts: [] })
  expect(outcome(ask(newWorld(), request))).toBe('400 The body must be form-encoded.')
})

test('json and no format at all are compact, pjson has two spaces, and anything else is refused', () => {
  const text = (f?: string) => formatAnswer(ask(newWorld(), aRootRequest(f)))
  expect(text('json')).toBe(text())
  expect(text()).not.toContain('\n')
  expect(text('pjson')).toContain('\n  "fullVersion": "11.2.0"')
  expect(JSON.parse(text('pjson'))).toEqual(JSON.parse(text()))
  expect(outcome(ask(newWorld(), aRootRequest('html')))).toBe('400 f must be one of json, pjson.')
  expect(outcome(ask(newWorld(), aRootRequest('')))).toBe('400 f must be one of json, pjson.')
})

test('a parameter that the root resource does not have is refused', () => {
  const request = aForm({ operation: 'root' }, { token: 'a-token' })
  expect(outcome(ask(newWorld(), request))).toBe('400 The parameter "token" is unknown.')
})

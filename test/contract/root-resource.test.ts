import {
  findStage,
  immediateSpelling,
  rootFields,
  rootResources,
  siteStates,
  stageFields,
  stageNames,
  stageNotApplicableAtFirst,
  stageStates,
  statusFields,
} from '../../src/contract/responses.js'
import { checkResponse } from '../../src/schema/check.js'

const inOrder = [
  'License validation',
  'Configuration store',
  'Relational store',
  'Cloud Native Storage',
  'Queue store',
  'In-memory store',
  'Object store',
  'Spatiotemporal and index store',
  'Portal REST API',
  'Services REST API',
  'Service lifecycle manager',
  'Usage statistics',
  'System and utility services',
  'Pod replicas',
]

const stage = { name: 'Object store', state: 'completed', lastUpdated: 1772600767089, startTime: 0 }
const status = { state: 'in_progress', message: 'creating', warnings: [], stages: [stage] }
const root = {
  fullVersion: '11.2.0.1234',
  resources: ['orgs'],
  currentVersion: 11.2,
  status,
  info: { build: '1234' },
}

describe('the root resource, §2.3', () => {
  test('has five fields, in the order of the document', () => {
    expect(Object.keys(rootFields)).toEqual(['fullVersion', 'resources', 'currentVersion', 'status', 'info'])
  })

  test('names six child resources', () => {
    expect(rootResources).toEqual(['orgs', 'logs', 'system', 'datastores', 'uploads', 'services'])
  })

  test('has a status with four fields', () => {
    expect(Object.keys(statusFields)).toEqual(['state', 'message', 'warnings', 'stages'])
  })

  test('has stage records with four fields', () => {
    expect(Object.keys(stageFields)).toEqual(['name', 'state', 'lastUpdated', 'startTime'])
  })

  test('fits its schema', () => {
    expect(checkResponse('root', root)).toEqual([])
  })

  test('fits its schema in the immediate response, whose stages have no start time', () => {
    const first = { name: 'Usage Statistics', state: 'not_started', lastUpdated: 1772600767089 }
    expect(checkResponse('root', { ...root, status: { ...status, stages: [first] } })).toEqual([])
  })

  test.each([
    ['/fullVersion', { ...root, fullVersion: 11.2 }],
    ['/resources', { ...root, resources: 'orgs' }],
    ['/resources/0', { ...root, resources: [1] }],
    ['/currentVersion', { ...root, currentVersion: '11.2' }],
    ['/status', { ...root, status: 'ready' }],
    ['/status/state', { ...root, status: { ...status, state: 1 } }],
    ['/status/message', { ...root, status: { ...status, message: null } }],
    ['/status/warnings', { ...root, status: { ...status, warnings: 'none' } }],
    ['/status/stages', { ...root, status: { ...status, stages: {} } }],
    ['/status/stages/0/name', { ...root, status: { ...status, stages: [{ ...stage, name: 1 }] } }],
    ['/status/stages/0/state', { ...root, status: { ...status, stages: [{ ...stage, state: 1 }] } }],
    [
      '/status/stages/0/lastUpdated',
      { ...root, status: { ...status, stages: [{ ...stage, lastUpdated: '1' }] } },
    ],
    [
      '/status/stages/0/startTime',
      { ...root, status: { ...status, stages: [{ ...stage, startTime: 0.5 }] } },
    ],
    ['/info', { ...root, info: '1234' }],
    ['/info/build', { ...root, info: { build: 1234 } }],
  ])('does not fit its schema when %s has another type', (instancePath, body) => {
    expect(checkResponse('root', body)).toMatchObject([{ instancePath, keyword: 'type' }])
  })

  test.each(Object.keys(rootFields))(
    'fits its schema without `%s`, which is not documented as required',
    field => {
      const body = Object.fromEntries(Object.entries(root).filter(([name]) => name !== field))
      expect(checkResponse('root', body)).toEqual([])
    },
  )

  test.each(['name', 'state'])('fits its schema with a stage without `%s`', field => {
    const { [field]: _, ...rest } = stage as Readonly<Record<string, unknown>>
    expect(checkResponse('root', { ...root, status: { ...status, stages: [rest] } })).toEqual([])
  })
})

describe('the stages, §2.3', () => {
  test('are fourteen, in the order of the document', () => {
    expect(stageNames).toEqual(inOrder)
    expect(stageNames).toHaveLength(14)
  })

  test('have one name that the immediate response spells differently, the twelfth', () => {
    expect(immediateSpelling).toEqual({ 'Usage statistics': 'Usage Statistics' })
    expect(stageNames.indexOf('Usage statistics')).toBe(11)
  })

  test.each(inOrder)('include %s with its usual spelling', name => {
    expect(findStage(name)).toBe(name)
  })

  test('include the twelfth with its spelling in the immediate response', () => {
    expect(findStage('Usage Statistics')).toBe('Usage statistics')
  })

  test.each(['', 'Usage', 'Object stores', 'Map tiles'])('do not include %p', name => {
    expect(findStage(name)).toBeUndefined()
  })
})

describe('the states, §3', () => {
  test('of a configuration are the two that are documented', () => {
    expect(siteStates).toEqual({ running: 'in_progress', done: 'ready' })
  })

  test('of a stage are four', () => {
    expect(stageStates).toEqual(['not_started', 'in_progress', 'completed', 'not_applicable'])
  })

  test('are `not_started` at first, except for Cloud Native Storage', () => {
    expect(stageNotApplicableAtFirst).toBe('Cloud Native Storage')
  })
})

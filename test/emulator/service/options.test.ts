import type { ServiceVersion } from '../../../src/contract/versions.js'
import { formatAnswer } from '../../../src/emulator/service/answers.js'
import { buildCloudConfigCheck } from '../../../src/emulator/service/cloud-config.js'
import type { EmulatorJsonObject } from '../../../src/emulator/service/json.js'
import { computeDurations, computeTimeline } from '../../../src/emulator/service/timeline.js'
import { newWorld } from '../../../src/emulator/service/world.js'
import { aConfigure, aForm, after, anUpdate, ask, begin, outcome, type Values } from './builders.js'

// `conformance` shows the service document sentence by sentence; this file tests the additional options.

test('only extra parameters that the emulator was given are accepted', () => {
  const world = newWorld({ accept: ['colour', 'constructor'] })
  expect(ask(world, aConfigure({ colour: 'red', constructor: '{}' })).httpStatus).toBe(200)
  expect(outcome(ask(world, aConfigure({ color: 'red' })))).toBe('400 The parameter "color" is unknown.')
  const { configuration } = after(world, begin, aConfigure({ colour: 'red' }))
  expect(configuration?.parameters).not.toHaveProperty('colour')
})

test('only the configured token is accepted if there is one', () => {
  const exporting = (token: string | undefined) =>
    aForm({ operation: 'exportSite' }, { location: '/b', token })
  const world = newWorld({ token: 'the-one', configured: true })
  for (const request of [exporting, (token: string | undefined) => anUpdate({ token })]) {
    expect(outcome(ask(world, request('the-one')))).toBe('accepted')
    expect(outcome(ask(world, request('another')))).toBe('400 The token is not valid.')
  }
  expect(outcome(ask(world, exporting(undefined)))).toBe('400 The token is not valid.')
})

test('a token and a known format are required only with field fidelity', () => {
  const requests = [
    anUpdate({ token: undefined }),
    aForm({ operation: 'deleteAll', service: 'Roads.GPServer' }, {}),
    anUpdate({ f: 'html' }),
  ]
  const answers = (fidelity: 'document' | 'field') =>
    requests.map(request =>
      outcome(ask(newWorld({ fidelity, configured: true, field: { securityFrom: 'never' } }), request)),
    )
  expect(answers('document')).toEqual(['accepted', 'accepted', 'accepted'])
  expect(answers('field')).toEqual([
    '400 The parameter token is missing.',
    '400 The parameter token is missing.',
    '400 f must be one of json, pjson.',
  ])
})

test('a configuration is stored without its secrets', () => {
  const cloudConfig = JSON.stringify([
    {
      name: 'AWS',
      credential: { type: 'ACCESS-KEY', secret: { secret_key: 'hidden-1', access_key: 'hidden-2' } },
      cloudServices: [],
    },
  ])
  const { configuration } = after(newWorld(), begin, aConfigure({ cloudConfig }))
  expect(configuration?.parameters).toMatchObject({
    systemArchitectureProfile: { name: 'standard-availability' },
    username: 'siteadmin',
    cloudConfig: [{ name: 'AWS', credential: { type: 'ACCESS-KEY' }, cloudServices: [] }],
  })
  expect(JSON.stringify(configuration)).not.toMatch(/hidden|correct-horse|Cartographer/)
})

test('a rejection repeats no value of the request, and truncates a long name', () => {
  const secret = 'Sesame1Sesame1'
  const wrong: readonly Values[] = [
    { password: [secret, secret] },
    { securityQuestionIdx: secret },
    { volumesConfig: secret },
    { cloudConfig: JSON.stringify([{ name: 'a', credential: { type: secret, secret } }]) },
    { licenseFile: secret },
  ]
  const refusals = [
    ...wrong.map(values => ask(newWorld(), aConfigure(values))),
    ask(newWorld({ fidelity: 'field' }), aConfigure({ f: secret })),
  ]
  for (const refusal of refusals) {
    const text = formatAnswer(refusal)
    expect(text).toContain('"error"')
    expect(text).not.toContain(secret)
  }
  expect(formatAnswer(ask(newWorld(), aConfigure({ ['x'.repeat(100_000)]: '' }))).length).toBeLessThan(200)
})

test('a world is never mutated, only replaced', () => {
  const world = newWorld()
  const before = structuredClone(world)
  after(world, begin, aConfigure())
  expect(world).toEqual(before)
})

test('times are whole milliseconds even if a stage takes a fraction of one', () => {
  const { stages } = computeTimeline(begin + 0.5, begin + 10, computeDurations(0.3))
  for (const stage of stages) {
    expect(Number.isInteger(stage.lastUpdated) && Number.isInteger(stage.startTime)).toBe(true)
  }
})

describe('cloud storage credentials as in the field notes', () => {
  const check = (
    version: ServiceVersion,
    fidelity: 'document' | 'field',
    credential: EmulatorJsonObject,
    connection: EmulatorJsonObject,
  ) => {
    const service = { name: 'Store', type: 'objectStore', usage: 'DEFAULT', category: 'storage', connection }
    const provider = { name: 'Provider', credential, cloudServices: [service] }
    return buildCloudConfigCheck({ version, fidelity })([provider], 'cloudConfig')
  }
  const secret = { storageAccountName: 'a' }
  const userAssigned = { type: 'USER-ASSIGNED-IDENTITY', managedIdentityClientId: 'id', secret }
  const key = { type: 'ACCESS-KEY', secret: { secretKey: 's', accessKey: 'a' } }

  // Copied by hand from field notes §1.6.
  test.each([
    [
      'a user-assigned identity',
      userAssigned,
      { containerName: 'c', accountEndpointUrl: 'https://a.example' },
    ],
    [
      'a system-assigned identity',
      { type: 'SYSTEM-ASSIGNED-IDENTITY', secret },
      { containerName: 'c', rootDir: 'd' },
    ],
    [
      'an access key as Helm charts spell it',
      key,
      { bucketName: 'b', region: 'r', regionEndpointUrl: 'https://r' },
    ],
  ] satisfies [string, EmulatorJsonObject, EmulatorJsonObject][])(
    '%s is accepted with reported versions, and not with document fidelity',
    (_, credential, connection) => {
      expect(check('11.5', 'field', credential, connection)).toBeUndefined()
      expect(check('11.2', 'document', credential, connection)).toMatch(/^cloudConfig\[0\]/)
    },
  )

  test('an identity without its client ID, and a mixture of two spellings, are rejected', () => {
    const { managedIdentityClientId: _, ...without } = userAssigned
    expect(check('11.5', 'field', without, { containerName: 'c' })).toMatch(/managedIdentityClientId/)
    const documented = { type: 'ACCESS-KEY', secret: { secret_key: 's', access_key: 'a' } }
    expect(check('11.5', 'field', documented, { bucketName: 'b' })).toMatch(/bucket/)
  })
})

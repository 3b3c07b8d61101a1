import { profileNames } from '../../../src/contract/profiles.js'
import { stageNames } from '../../../src/contract/stages.js'
import type { ServiceVersion } from '../../../src/contract/versions.js'
import { formatAnswer } from '../../../src/emulator/service/answers.js'
import { newWorld } from '../../../src/emulator/service/world.js'
import {
  aConfigure,
  after,
  aRequest,
  ask,
  begin,
  configureValues,
  outcome,
  partsOf,
  type Values,
} from './builders.js'

const file = new Uint8Array([7])

test('configure answers at once that nothing has started', () => {
  const response = ask(newWorld(), aConfigure())
  expect(response.httpStatus).toBe(200)
  expect(response.body).toEqual({
    fullVersion: '11.2.0',
    resources: ['orgs', 'logs', 'system', 'datastores', 'uploads', 'services'],
    currentVersion: 11.2,
    status: {
      state: 'in_progress',
      message: expect.stringMatching(/creating a new organization/i),
      warnings: [],
      stages: stageNames.map(name => ({
        name: name === 'Usage statistics' ? 'Usage Statistics' : name,
        state: name === 'Cloud Native Storage' ? 'not_applicable' : 'not_started',
        lastUpdated: begin,
      })),
    },
    info: { build: expect.any(String) },
  })
})

test('a parameter that the emulator was told of is taken, and any other is refused', () => {
  const world = newWorld({ accept: ['colour', 'constructor'] })
  expect(ask(world, aConfigure({ colour: 'red', constructor: '{}' })).httpStatus).toBe(200)
  expect(outcome(ask(world, aConfigure({ color: 'red' })))).toBe('400 The parameter "color" is unknown.')
  const { configuration } = after(world, begin, aConfigure({ colour: 'red' }))
  expect(configuration?.parameters).not.toHaveProperty('colour')
})

test('the immediate answer is the same when stages take no time', () => {
  const immediately = ask(newWorld({ stageMs: 0 }), aConfigure())
  expect(immediately.body).toEqual(ask(newWorld(), aConfigure()).body)
})

test('a configuration keeps when it began and what was asked for, without its secrets', () => {
  const values = {
    firstName: 'Ada',
    logSettings: '{"logLevel":"INFO"}',
    systemProperties: '{"a":{"b":[1]}}',
    serverLicenseFile: file,
    cloudConfig: JSON.stringify([
      {
        name: 'AWS',
        credential: { type: 'ACCESS-KEY', secret: { secret_key: 'hidden-1', access_key: 'hidden-2' } },
        cloudServices: [],
      },
    ]),
    f: 'json',
  }
  const { configuration } = after(newWorld(), begin, aConfigure(values))
  expect(configuration).toEqual({
    begunAt: begin,
    parameters: {
      systemArchitectureProfile: { name: 'standard-availability' },
      username: 'siteadmin',
      email: 'admin@example.org',
      fullName: 'Site Administrator',
      firstName: 'Ada',
      securityQuestionIdx: '13',
      userLicenseTypeId: 'creatorUT',
      volumesConfig: JSON.parse(String(configureValues()['volumesConfig'])),
      cloudConfig: [{ name: 'AWS', credential: { type: 'ACCESS-KEY' }, cloudServices: [] }],
      logSettings: { logLevel: 'INFO' },
      systemProperties: { a: { b: [1] } },
    },
  })
})

test('the world that a handler was given stays as it was', () => {
  const world = newWorld()
  const before = structuredClone(world)
  after(world, begin, aConfigure())
  expect(world).toEqual(before)
})

test.each([
  ['optional texts, even empty ones', { firstName: 'Ada', lastName: '', description: '' }],
  ['a server license file', { serverLicenseFile: file }],
  ['the shortest user name and password', { username: 'abcdef', password: 'abcdefg1' }],
  ['a password of special characters', { password: 'a1 "\'<>&%+;=\\/🗝' }],
  ['the first question', { securityQuestionIdx: '1' }],
  ['the last question', { securityQuestionIdx: '14' }],
  ['folders in any form', { folderPathsToRegister: '{"paths":["/a"]}' }],
  ['no folders', { folderPathsToRegister: '' }],
  ['empty lists', { cloudConfig: '[]', userManagedStores: '[]', systemProperties: '{}' }],
  ['any log level', { logSettings: '{"logLevel":"CHATTY"}' }],
  ['the response format', { f: 'pjson' }],
] satisfies [string, Values][])('configure accepts %s', (_what, values) => {
  expect(outcome(ask(newWorld(), aConfigure(values)))).toBe('accepted')
})

test.each(profileNames)('configure accepts the profile %s', name => {
  const values = { systemArchitectureProfile: JSON.stringify({ name }) }
  const world = after(newWorld(), begin, aConfigure(values))
  expect(world.configuration?.parameters['systemArchitectureProfile']).toEqual({ name })
})

test.each(Object.keys(configureValues()))('configure needs %s', name => {
  const response = ask(newWorld(), aConfigure({ [name]: undefined }))
  expect(outcome(response)).toBe(`400 The parameter ${name} is missing.`)
})

test.each([
  ['a short user name', { username: 'abcde' }, 'username must have at least 6 characters.'],
  ['a user name of few characters in many units', { username: '🗺🗺🗺🗺🗺' }, /username/],
  ['a user name with a space', { username: 'site admin' }, 'username must have no white space'],
  ['a user name with a control character', { username: 'site\u0007admin' }, /no control characters/],
  ['a short password', { password: 'abcdef1' }, 'password must have at least 8 characters.'],
  ['a password without a letter', { password: '12345678' }, 'password must contain a letter.'],
  ['a password without a digit', { password: 'abcdefgh' }, 'password must contain a digit.'],
  ['an empty e-mail address', { email: '' }, 'email must be an e-mail address.'],
  ['an e-mail address without @', { email: 'admin' }, 'email must be an e-mail address.'],
  ['an empty full name', { fullName: '' }, /fullName/],
  ['an empty answer', { securityQuestionAns: '' }, /securityQuestionAns/],
  ['an empty user type', { userLicenseTypeId: '' }, /userLicenseTypeId/],
  ['a license that is text', { licenseFile: 'text' }, 'licenseFile must be a file that is not empty.'],
  ['an empty license', { licenseFile: new Uint8Array() }, 'licenseFile must be a file that is not empty.'],
  ['an empty server license', { serverLicenseFile: new Uint8Array() }, /serverLicenseFile must be a file/],
  ['a file where text belongs', { username: file }, 'username must not be a file.'],
  ['an unknown parameter', { colour: 'red' }, 'The parameter "colour" is unknown.'],
  ['a token', { token: 'a-token' }, 'The parameter "token" is unknown.'],
  ['a repeated parameter', { email: ['a@b', 'a@b'] }, 'email was sent more than once.'],
  ['a repeated file', { licenseFile: [file, file] }, 'licenseFile was sent more than once.'],
  ['malformed JSON', { logSettings: '{logLevel: INFO}' }, 'logSettings must hold JSON of 8 MiB at most.'],
  ['empty JSON', { logSettings: '' }, 'logSettings must hold JSON of 8 MiB at most.'],
  ['an unknown format', { f: 'xml' }, 'f must be one of json, pjson.'],
  ['an unknown profile', { systemArchitectureProfile: '{"name":"small"}' }, /profile|Profile/],
  ['a profile as text', { systemArchitectureProfile: '"development"' }, /must be a JSON object/],
  ['log settings without a level', { logSettings: '{}' }, 'logSettings.logLevel is missing.'],
  ['a log level that is no text', { logSettings: '{"logLevel":1}' }, /logSettings.logLevel/],
  ['system properties in a list', { systemProperties: '[]' }, 'systemProperties must be a JSON object.'],
  ['no system properties', { systemProperties: 'null' }, 'systemProperties must be a JSON object.'],
] satisfies [string, Values, string | RegExp][])('configure refuses %s', (_what, values, problem) => {
  const response = ask(newWorld(), aConfigure(values))
  expect(response.httpStatus).toBe(200)
  expect(outcome(response)).toMatch(problem)
  expect(outcome(response)).toMatch(/^400 /)
})

test.each(['0', '15', '100', '-1', '1.0', '01', '1e1', ' 1', 'x', '', '１'])(
  'configure refuses the question index "%s"',
  securityQuestionIdx => {
    const response = ask(newWorld(), aConfigure({ securityQuestionIdx }))
    expect(outcome(response)).toBe('400 securityQuestionIdx must be an integer from 1 to 14.')
  },
)

test('a refusal is the error body of the document and leaves the site unconfigured', () => {
  const request = aConfigure({ username: 'abc' })
  expect(ask(newWorld(), request).body).toEqual({
    error: { code: 400, message: 'username must have at least 6 characters.', details: null },
  })
  expect(after(newWorld(), begin, request).configuration).toBeUndefined()
})

test('a refusal never repeats what was sent as a value', () => {
  const secret = 'Sesame1Sesame1'
  const wrong: readonly Values[] = [
    { password: [secret, secret] },
    { securityQuestionIdx: secret },
    { volumesConfig: secret },
    { cloudConfig: JSON.stringify([{ name: 'a', credential: { type: secret, secret } }]) },
    { licenseFile: secret },
    { f: secret },
  ]
  for (const values of wrong) {
    const text = formatAnswer(ask(newWorld(), aConfigure(values)))
    expect(text).toContain('"error"')
    expect(text).not.toContain(secret)
  }
})

test('the name of an unknown parameter is cut short in the refusal', () => {
  const response = ask(newWorld(), aConfigure({ ['x'.repeat(100_000)]: '' }))
  expect(formatAnswer(response).length).toBeLessThan(200)
})

test.each(['form', 'none'] as const)('configure refuses the encoding %s', encoding => {
  const request = aRequest({ operation: 'configure' }, { encoding, parts: partsOf(configureValues()) })
  expect(outcome(ask(newWorld(), request))).toBe('400 The body must be multipart/form-data.')
})

test('configure refuses parameters in the address, where they would end up in logs', () => {
  const request = aConfigure()
  const query = [{ kind: 'text', name: 'f', text: 'json' }] as const
  expect(outcome(ask(newWorld(), { ...request, query }))).toMatch(/belong in the body/)
})

test.each<[ServiceVersion, string, string]>([
  ['10.9', 'userManagedStores', '400 The parameter "userManagedStores" is unknown.'],
  ['10.9.1', 'userManagedStores', 'accepted'],
  ['10.9', 'cloudConfig', '400 The parameter "cloudConfig" is unknown.'],
  ['11.1', 'cloudConfig', '400 The parameter "cloudConfig" is unknown.'],
  ['11.2', 'cloudConfig', 'accepted'],
  ['11.3', 'cloudConfig', 'accepted'],
])('at version %s the parameter %s is answered with: %s', (version, name, expected) => {
  expect(outcome(ask(newWorld({ version }), aConfigure({ [name]: '[]' })))).toBe(expected)
})

test('a second configure is refused while the first one runs and for ever after', () => {
  const world = after(newWorld({ stageMs: 100 }), begin, aConfigure())
  expect(outcome(ask(world, aConfigure(), begin + 1))).toBe('400 The site is being configured.')
  expect(outcome(ask(world, aConfigure(), begin + 1300))).toBe('400 The site is already configured.')
  const later = after(world, begin + 1300, aConfigure(), aConfigure())
  expect(later.configuration).toEqual(world.configuration)
  expect(later.counters.configure).toEqual({ received: 3, accepted: 1 })
})

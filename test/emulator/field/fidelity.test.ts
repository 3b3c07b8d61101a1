import { newWorld } from '../../../src/emulator/service/world.js'
import { aConfigure, after, ask, begin } from '../service/builders.js'
import { aGet, aPost, aTokenRequest, readyAt } from './builders.js'

const documented = after(newWorld({ stageMs: 100 }), begin, aConfigure())

test.each([
  ['upgrades', aGet('/system/upgrades')],
  ['the upgrade configuration', aGet('/system/upgrades/config')],
  ['webhooks', aGet('/services/Roads.GPServer/webhooks')],
  ['a service in a folder', aPost('/services/A/Roads.GPServer/webhooks/deleteAll', { token: 't' })],
  ['log settings', aGet('/logs/settings')],
  ['system properties', aGet('/system/properties')],
  ['profiles', aGet('/system/architectureprofiles')],
  ['licenses', aPost('/orgs/0123456789ABCDEF/license/validateLicense')],
])('with document fidelity %s does not exist', (_what, request) => {
  expect(ask(documented, request, readyAt)).toEqual({
    httpStatus: 404,
    body: { error: { code: 404, message: 'There is no such resource.', details: null } },
    pretty: false,
  })
})

test('with document fidelity a site never requires a token, and is ready once it is configured', () => {
  for (let now = begin; now <= readyAt; now += 50) {
    expect(ask(documented, aGet(''), now).body).toMatchObject({
      status: { state: expect.stringMatching(/^(in_progress|ready)$/) },
    })
  }
})

test('with document fidelity nothing about the administrator is stored', () => {
  expect(documented.field.administrator).toBeUndefined()
})

test('with document fidelity the token service issues a token for any account, since any text is one', () => {
  const { httpStatus, body } = ask(documented, aTokenRequest(), readyAt)
  expect([httpStatus, body]).toEqual([
    200,
    { token: expect.any(String), expires: expect.any(Number), ssl: true },
  ])
  const chosen = after(newWorld({ stageMs: 100, token: 'the-only-one' }), begin, aConfigure())
  expect(ask(chosen, aTokenRequest(), readyAt).body).toMatchObject({ token: 'the-only-one' })
  expect(
    ask(documented, aPost('../sharing/rest/generateToken', { username: 'x' }), readyAt).body,
  ).toMatchObject({
    error: { message: 'username and password are required.' },
  })
})

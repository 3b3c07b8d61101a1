import { aRequest, ask, outcome, partsOf, type Value } from '../service/builders.js'
import { aFieldWorld } from './builders.js'

const path = '/orgs/0123456789ABCDEF/license/validateLicense'
const check = (file: Value | undefined, at = path, world = aFieldWorld()) => {
  const parts = partsOf({ file, listAdministratorUserTypes: 'true', f: 'pjson' })
  return ask(world, {
    ...aRequest({ operation: 'unknown' }, { encoding: 'multipart', parts }),
    path: at,
  })
}
const bytes = (text: string) => new TextEncoder().encode(text)

test.each(['{"any":"thing"}', 'of an older form'])(
  'a license is answered with user types, without a token: %s',
  text => {
    const { body, pretty } = check(bytes(text))
    expect(pretty).toBe(true)
    expect(body).toMatchObject({ MyEsri: { version: '11.2' } })
    const { userTypes } = (body as { MyEsri: { definitions: { userTypes: object[] } } }).MyEsri.definitions
    expect(userTypes).toContainEqual({ id: 'creatorUT', name: 'creatorUT' })
  },
)

test.each([
  ['an empty file', bytes('')],
  ['no file', undefined],
  ['a text in place of the file', '{}'],
])('%s is answered with an error body', (_what, file) => {
  expect(outcome(check(file))).toBe('400 The license is not valid.')
})

test('a site that refuses licenses says why', () => {
  const world = aFieldWorld({ field: { licenseRefusal: 'The license has expired.' } })
  expect(outcome(check(bytes('{}'), path, world))).toBe('400 The license has expired.')
})

test('another organization is not there', () => {
  expect(check(bytes('{}'), path.replace('0', '1')).httpStatus).toBe(404)
})

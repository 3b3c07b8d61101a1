import { userManagedStores } from '../../../src/emulator/service/configure-checks.js'
import type { Json } from '../../../src/emulator/service/json.js'

const info = { fileServerHost: 'nfs.example.org', fileServerType: 'NFS', fileServerPath: '/export' }
const store = { clientPath: '/data/imagery', type: 'folder', info }

test('data stores on a file server are right', () => {
  expect(userManagedStores([store, store], 'userManagedStores')).toBeUndefined()
})

test.each([
  ['no list', store, 'userManagedStores must be a JSON array.'],
  ['no client path', [{ type: 'folder', info }], 'userManagedStores[0].clientPath is missing.'],
  ['no file server', [{ clientPath: '/a', type: 'folder' }], 'userManagedStores[0].info is missing.'],
  ['an empty type', [{ ...store, type: '' }], /^userManagedStores\[0\]\.type must be/],
  ['an empty host', [{ ...store, info: { ...info, fileServerHost: '' } }], /info\.fileServerHost must be/],
  ['flat fields', [{ ...store, fileServerHost: 'a' }], /unknown field "fileServerHost"/],
  ['an unknown field', [store, { ...store, info: { ...info, port: 1 } }], /\[1\]\.info .* field "port"/],
] satisfies [string, Json, string | RegExp][])('%s is wrong', (_what, value, expected) => {
  expect(userManagedStores(value, 'userManagedStores')).toMatch(expected)
})

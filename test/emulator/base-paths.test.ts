import { checkBasePath } from '../../src/emulator/base-paths.js'
import { startEmulator } from '../../src/emulator/server.js'
import { landform } from '../support/landform.js'

test.each(['', '/', '/arcgis/admin', 'gis/admin/', '//a//b', '/~me/v1.2-x_y', '/a/_emulator'])(
  '%j can be a base path',
  path => {
    expect(checkBasePath(path)).toBeUndefined()
  },
)

test.each([
  '/..',
  '/a/../b',
  '/./a',
  '/a?b',
  '/a#b',
  '/a%2fb',
  '/a%00',
  '/a b',
  '/a\\b',
  '/a\nb',
  '/a\u0000',
  '/ä',
  '/a;b',
  '/_emulator',
  '_emulator/x',
  'http://gis.example.org/admin',
  `/${'a'.repeat(300)}`,
])('%j is rejected as a base path', async path => {
  expect(checkBasePath(path)).toEqual(expect.any(String))
  await expect(startEmulator({ basePath: path })).rejects.toThrow('not a base path')
  const { exitCode, out, err } = await landform(['emulate', '--base-path', path])
  expect({ exitCode, out }).toEqual({ exitCode: 64, out: '' })
  expect(err).toContain('--base-path')
})

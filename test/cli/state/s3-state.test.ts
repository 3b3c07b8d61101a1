import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { writeDeclaring } from '../../support/declaring.js'
import { landform } from '../../support/landform.js'
import { s3Location } from '../../support/s3-place.js'
import { type S3Server, s3Server } from '../../support/s3-server.js'
import { someSecrets } from '../../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'

let site: Emulator
let server: S3Server
let folder = ''
const run = (args: readonly string[], changes: Readonly<Record<string, string>> = {}) =>
  landform(args, { environment: { ...someSecrets, ...server.environment, ...changes }, folder })
const manifest = () => join(folder, 'site.yaml')

beforeEach(async () => {
  folder = await temporaryFolder()
  cpSync('examples/licenses', join(folder, 'licenses'), { recursive: true })
  server = await s3Server()
  site = await startEmulator({ stageMs: 1 })
  writeDeclaring(manifest(), site.url, s3Location(server))
})
afterEach(async () => {
  await site.close()
  await server.close()
  await removeTemporaryFolders()
})

test('a site with state in object storage is applied once, and has no secret there', async () => {
  const applied = await run(['apply', manifest(), '--yes'])
  expect([applied.exitCode, applied.err]).toEqual([0, expect.any(String)])
  expect(readdirSync(folder).sort()).toEqual(['licenses', 'site.yaml'])
  expect((await run(['plan', manifest()])).exitCode).toBe(0)
  const shown = await run(['state', 'show', manifest()])
  expect([shown.exitCode, shown.out]).toEqual([0, expect.stringContaining(s3Location(server))])
  const kept = [...server.objects.values()].map(({ text }) => text).join('')
  const secrets = [...Object.values(someSecrets), server.environment['AWS_SECRET_ACCESS_KEY'] ?? '']
  const seen = kept + applied.out + applied.err + shown.out + shown.err
  expect(secrets.filter(secret => secret.length > 3 && seen.includes(secret))).toEqual([])
})

test('state moves from a folder to object storage, and later runs follow it', async () => {
  const [here, there] = [`file:${join(folder, 'state')}`, s3Location(server)]
  writeDeclaring(manifest(), site.url, here)
  expect((await run(['apply', manifest(), '--yes'])).exitCode).toBe(0)
  const moved = await run(['state', 'move', here, there, manifest()])
  expect([moved.exitCode, moved.out]).toEqual([
    0,
    expect.stringContaining('Moved the state of quickstart to s3:'),
  ])
  const before = server.objects.size
  const again = await run(['apply', manifest(), '--yes'])
  expect([again.exitCode, again.out + again.err]).toEqual([0, expect.stringContaining('No changes')])
  writeDeclaring(manifest(), site.url, there)
  expect((await run(['plan', manifest()])).exitCode).toBe(0)
  expect(server.objects.size).toBeGreaterThanOrEqual(before)
  expect(readFileSync(manifest(), 'utf8')).toContain(there)
})

test.each<[string, Readonly<Record<string, string>>, number, string]>([
  [
    'no credentials',
    { AWS_ACCESS_KEY_ID: '' },
    74,
    'tried, in this order: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; AWS_WEB',
  ],
  ['no region', { AWS_REGION: '' }, 74, 'add `?region=…`, or set AWS_REGION'],
  ['expired credentials', { AWS_SESSION_TOKEN: 'former' }, 74, 'have expired: get new ones (ExpiredToken)'],
])('with %s nothing is sent to the site', async (_what, changes, code, words) => {
  const { exitCode, err } = await run(['apply', manifest(), '--yes'], changes)
  expect([exitCode, err]).toEqual([code, expect.stringContaining(words)])
  expect(err).toContain(s3Location(server))
  expect(err).toContain('nothing was sent')
})

test('a manifest that names a bucket wrongly is told its line', async () => {
  writeDeclaring(manifest(), site.url, 's3:Bucket')
  const { exitCode, out, err } = await run(['validate', manifest()])
  expect(exitCode).toBe(65)
  expect(out + err).toMatch(/site\.yaml:\d+:\d+[\s\S]*names no valid bucket/)
})

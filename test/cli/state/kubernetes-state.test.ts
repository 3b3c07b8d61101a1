import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { type ApiServer, apiServer, namespace } from '../../support/api-server.js'
import { writeDeclaring } from '../../support/declaring.js'
import { kubeconfig } from '../../support/kubernetes-place.js'
import { landform } from '../../support/landform.js'
import { someSecrets } from '../../support/some-secrets.js'
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.js'

let site: Emulator
let server: ApiServer
let folder = ''
let KUBECONFIG = ''
const place = `kubernetes:${namespace}`
const run = (args: readonly string[], changes: Readonly<Record<string, string>> = {}) =>
  landform(args, { environment: { ...someSecrets, KUBECONFIG, ...changes }, folder })
const manifest = () => join(folder, 'site.yaml')

beforeEach(async () => {
  folder = await temporaryFolder()
  cpSync('examples/licenses', join(folder, 'licenses'), { recursive: true })
  server = await apiServer()
  KUBECONFIG = await kubeconfig(folder, server)
  site = await startEmulator({ stageMs: 1 })
})
afterEach(async () => {
  await site.close()
  await server.close()
  await removeTemporaryFolders()
})

test('state moves from a folder to a cluster, later runs follow it, and it has no secret', async () => {
  const here = `file:${join(folder, 'state')}`
  writeDeclaring(manifest(), site.url, here)
  expect((await run(['apply', manifest(), '--yes'])).exitCode).toBe(0)
  const moved = await run(['state', 'move', here, place, manifest()])
  expect([moved.exitCode, moved.out]).toEqual([0, expect.stringContaining(`to ${place}`)])
  const again = await run(['apply', manifest(), '--yes'])
  expect([again.exitCode, again.out + again.err]).toEqual([0, expect.stringContaining('No changes')])
  writeDeclaring(manifest(), site.url, place)
  const shown = await run(['state', 'show', manifest()])
  expect([shown.exitCode, shown.out]).toEqual([0, expect.stringContaining(place)])
  const kept = [...server.secrets.values()]
    .map(({ data }) => Buffer.from(data['state'] ?? '', 'base64'))
    .join('')
  const seen = kept + moved.out + moved.err + again.out + again.err + shown.out + shown.err
  const secrets = [...Object.values(someSecrets), server.token]
  expect(secrets.filter(secret => secret.length > 3 && seen.includes(secret))).toEqual([])
})

test('without a cluster, or access to it, nothing is sent to the site', async () => {
  writeDeclaring(manifest(), site.url, place)
  const none = await run(['apply', manifest(), '--yes'], { KUBECONFIG: '' })
  expect([none.exitCode, none.err]).toEqual([74, expect.stringContaining('or set KUBECONFIG')])
  writeDeclaring(manifest(), site.url, 'kubernetes:forbidden')
  const denied = await run(['apply', manifest(), '--yes'])
  expect([denied.exitCode, denied.err]).toEqual([
    74,
    expect.stringContaining('create, get and list on secrets'),
  ])
  expect(denied.err).toContain('nothing was sent')
})

import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openWorkerManifests, worker } from '../../packages/fleet/src/commands/worker.js'
import { planSite } from '../../src/library/plan-site.js'
import { fakeHost } from '../support/fake-host.js'
import { anOrder } from '../support/fleet-office.js'
import { argumentsIn } from '../support/read-line.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

/** The problem of opening a manifest in a worker with this environment; no server listens at its site. */
async function problemWith(environment: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder()
  const text = await readFile('examples/quickstart.yaml', 'utf8')
  await writeFile(join(folder, 'a.yaml'), text.replace(/url: https:\S*/, 'url: http://127.0.0.1:9/admin'))
  await cp('examples/licenses', join(folder, 'licenses'), { recursive: true })
  const manifests = openWorkerManifests({ folder, policies: [] }, fakeHost({ environment }))
  const order = { ...anOrder('a'), generation: 1, rollout: 'r' }
  const found = await manifests.openManifest(order)
  const reply = found.ok ? await planSite(found.value) : undefined
  await manifests.close()
  return reply?.ok === false ? reply.error.kind : reply
}

test('a worker sends requests only to origins that its environment allows', async () => {
  const LANDFORM_TOKEN = 'x'
  expect(await problemWith({ LANDFORM_TOKEN })).toBe('look')
  expect(await problemWith({ LANDFORM_TOKEN, LANDFORM_ALLOWED_ORIGINS: 'https://other.example.org' })).toBe(
    'address',
  )
})

test('a worker does not begin if TLS verification is disabled', async () => {
  const host = fakeHost({ environment: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } })
  const argv = argumentsIn(['fleet', 'worker']) as never
  expect(await worker(argv, host)).toBe(78)
  expect(host.err()).toContain('NODE_TLS_REJECT_UNAUTHORIZED=0')
})

test.each(['gone', 'package.json'])('a worker does not begin without its folder: %s', async folder => {
  const argv = argumentsIn(['fleet', 'worker', '--folder', folder]) as never
  await expect(worker(argv, fakeHost({}))).rejects.toThrow(
    `--folder must be an existing folder, not ${folder}`,
  )
})

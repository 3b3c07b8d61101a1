import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stageNames } from '../../../src/contract/stages.js'
import type { Emulator } from '../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { anUpgradeConfig, begin, volumes } from '../../emulator/service/builders.js'
import { runsHere } from '../../support/program.js'
import { testWhere } from '../../support/test-where.js'
import type { Client, Field } from './client.js'
import { curl } from './curl.js'
import { nodeFetch } from './node-fetch.js'
import { python } from './python.js'

const folder = mkdtempSync(join(realpathSync(tmpdir()), 'landform-clients-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const licenseFile = fileOf('license.json', '{"license": "ä"}')
const volumesFile = fileOf('volumes.json', JSON.stringify({ volumesConfig: volumes() }))
const policyFile = fileOf('policy.json', JSON.stringify(anUpgradeConfig()))

const stageMs = 1000
let now = begin
let emulator: Emulator | undefined
afterEach(async () => {
  await emulator?.close()
  emulator = undefined
})

async function start(): Promise<Emulator> {
  now = begin
  const webhooks = { 'My Roads.GPServer': 2 }
  emulator = await startEmulator({ now: () => now, stageMs, token: 'a+token=1&2', webhooks })
  return emulator
}

const configureFields: readonly Field[] = [
  { name: 'username', value: 'siteadmin' },
  { name: 'password', value: '@päss;type=1"%41+& ' },
  { name: 'email', value: 'admin@example.org' },
  { name: 'fullName', value: 'Zoë "Ada" Løvelace & Söhne = 漢字 🗺️' },
  { name: 'securityQuestionIdx', value: '13' },
  { name: 'securityQuestionAns', value: '<lighthouse keeper>' },
  { name: 'userLicenseTypeId', value: 'creatorUT' },
  { name: 'licenseFile', file: licenseFile },
  { name: 'volumesConfig', valueFrom: volumesFile },
  { name: 'systemArchitectureProfile', value: '{"name":"development"}' },
  { name: 'f', value: 'json' },
]

const updateFields: readonly Field[] = [
  { name: 'upgradeConfig', valueFrom: policyFile },
  { name: 'token', value: 'a+token=1&2' },
]

const deleteAll = '/services/My%20Roads.GPServer/webhooks/deleteAll'

const clients: readonly Client[] = [curl('content-length'), curl('chunked'), python, nodeFetch]
const present = await Promise.all(clients.map(({ needs }) => needs === undefined || runsHere(needs.probe)))

describe.each(clients.map((client, index) => ({ client, isHere: present[index] === true })))(
  '$client.name',
  ({ client, isHere }) => {
    const testIt = testWhere(isHere, client.needs?.packages ?? '')

    testIt('takes a site from its first request to its last', async () => {
      const { url, world } = await start()
      const submitted = await client.post({
        url: `${url}/configure`,
        encoding: 'multipart',
        fields: configureFields,
      })
      expect(submitted).toMatchObject({ status: 200, body: { status: { state: 'in_progress' } } })
      expect(world().configuration?.parameters).toMatchObject({
        fullName: 'Zoë "Ada" Løvelace & Söhne = 漢字 🗺️',
        volumesConfig: { volumesConfig: volumes() },
        systemArchitectureProfile: { name: 'development' },
      })

      expect(await states(client, url)).toEqual([...stageNames.slice(1).map(() => 'in_progress'), 'ready'])

      const form = (path: string, fields: readonly Field[]) =>
        client.post({ url: url + path, encoding: 'form', fields })
      const success = { status: 200, body: { status: 'success' } }
      expect(await form('/system/upgrades/config/update', updateFields)).toEqual(success)
      expect(world().upgradeConfig).toEqual(anUpgradeConfig())
      const exported = [
        { name: 'location', value: '/näs & co/100%' },
        { name: 'token', value: 'a+token=1&2' },
      ]
      expect(await form('/exportSite', exported)).toEqual({
        status: 200,
        body: { status: 'success', location: '/näs & co/100%/20260304-050620.portalsite' },
      })
      expect(await form(deleteAll, [{ name: 'token', value: 'a+token=1&2' }])).toEqual(success)
      expect(world().webhooks?.get('My Roads.GPServer')).toBe(0)
    })

    testIt('is refused where it sends a body in the wrong way', async () => {
      const { url, world } = await start()
      const without = (name: string) => configureFields.filter(field => field.name !== name)
      const text: Field = { name: 'licenseFile', value: 'no file' }
      const file: Field = { name: 'volumesConfig', file: volumesFile }
      const wrong = [
        ['/configure', 'form', configureFields, /multipart/],
        ['/configure', 'multipart', [...without('licenseFile'), text], /licenseFile must be a file/],
        ['/configure', 'multipart', [...without('volumesConfig'), file], /volumesConfig must not be a file/],
        ['/system/upgrades/config/update', 'multipart', updateFields, /form-encoded/],
        ['/exportSite', 'multipart', [{ name: 'location', value: '/b' }], /form-encoded/],
        ['/exportSite?location=/b', 'form', [{ name: 'f', value: 'json' }], /not in the address/],
        [deleteAll, 'multipart', [{ name: 'token', value: 'a+token=1&2' }], /form-encoded/],
        [deleteAll, 'form', [{ name: 'token', value: 'a token=1&2' }], /token/],
      ] as const
      for (const [path, encoding, fields, message] of wrong)
        expect(await client.post({ url: url + path, encoding, fields })).toEqual({
          status: 200,
          body: { error: { code: 400, message: expect.stringMatching(message), details: null } },
        })
      expect(world().configuration).toBeUndefined()
      expect(Object.values(world().counters).filter(({ accepted }) => accepted > 0)).toEqual([])
    })
  },
)

/** What the root resource shows, asked once a stage until it is ready. */
async function states(client: Client, url: string): Promise<readonly string[]> {
  const seen: string[] = []
  while (seen.at(-1) !== 'ready' && seen.length <= stageNames.length) {
    const { body } = await client.get(`${url}?f=json`)
    seen.push((body['status'] as { readonly state: string }).state)
    if (seen.at(-1) !== 'ready') now += stageMs
  }
  return seen
}

function fileOf(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { siteWriter } from '../../src/client/site-writer.js'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import { startEmulator } from '../../src/emulator/server.js'
import { describeProblem, fileBackend, memoryBackend, planSite, type SiteRequest } from '../../src/index.js'
import { httpDouble } from '../support/http-double.js'
import { aRequest } from '../support/library-site.js'
import { someSecrets } from '../support/some-secrets.js'
import { removeTemporaryFolders } from '../support/temporary-folder.js'

let emulator: Emulator
beforeAll(async () => {
  emulator = await startEmulator()
})
afterAll(() => emulator.close())
afterEach(removeTemporaryFolders)

/** State that cannot be read. */
const damaged = {
  ...memoryBackend(),
  series: () => ({
    where: 'memory',
    newest: async () => ({ ok: true as const, value: { serial: 1, text: '{' } }),
    add: async () => ({ ok: true as const, value: true }),
    all: async () => ({ ok: true as const, value: [] }),
  }),
}

test('a valid manifest and a readable site give a plan as plain data', async () => {
  const planned = await planSite(await aRequest(emulator.url))
  if (!planned.ok) throw new Error(describeProblem(planned.error))
  expect(planned.value.plan.actions.map(({ change }) => change)).toEqual(['create', 'update'])
  expect(JSON.parse(JSON.stringify(planned.value.plan))).toEqual(planned.value.plan)
  expect(emulator.world().counters.configure.received).toBe(0)
  // Printing the result prints no secret.
  for (const secret of Object.values(someSecrets))
    expect(inspect(planned.value, { depth: 20 })).not.toContain(secret)
})

type Change = (request: SiteRequest & { readonly folder: string }) => Partial<SiteRequest>

describe('a problem is a value with a kind and a sentence, and nothing was changed', () => {
  const policy = `apiVersion: landform.dev/v1
kind: SitePolicy
rules: [{ name: never, require: { spec.profile: enhanced-availability } }]
`
  test.each<[string, string, Change, RegExp]>([
    [
      'file',
      'a file that is missing',
      ({ folder }) => ({ file: join(folder, 'none.yaml') }),
      /does not exist/,
    ],
    [
      'file',
      'a folder that is missing',
      ({ folder }) => ({ file: join(folder, 'no/a.yaml'), text: '' }),
      /folder/,
    ],
    ['manifest', 'a manifest that is not valid', () => ({ text: 'kind: SiteDeployment' }), /is not valid/],
    [
      'manifest',
      'a manifest against a policy beside it',
      ({ folder }) => {
        writeFileSync(join(folder, 'landform.policy.yaml'), policy)
        return {}
      },
      /violates rules/,
    ],
    [
      'policy',
      'a policy that is none',
      ({ folder }) => {
        writeFileSync(join(folder, 'landform.policy.yaml'), 'kind: SitePolicy')
        return {}
      },
      /is not valid/,
    ],
    ['address', 'an address in clear', () => ({ url: 'http://gis.example.org/admin' }), /must use https/],
    ['address', 'an origin not allowed', () => ({ allowedOrigins: ['https://a.example'] }), /is not allowed/],
    [
      'proxy',
      'a proxy that is no URL',
      () => ({ url: 'https://gis.example.org/admin', environment: { https_proxy: 'http://[' } }),
      /https_proxy/,
    ],
    [
      'references',
      'a license that is missing',
      ({ folder, file }) => {
        mkdirSync(join(folder, 'sub'))
        return { file: join(folder, 'sub/site.yaml'), text: readFileSync(file, 'utf8') }
      },
      /missing or invalid/,
    ],
    [
      'look',
      'a site that nobody serves',
      () => ({ url: 'http://127.0.0.1:1/admin' }),
      /could not|no connection/,
    ],
    ['look', 'a signal that has come', () => ({ signal: AbortSignal.abort() }), /stopped/],
    ['state', 'state that is damaged', () => ({ state: damaged }), /damaged/],
    [
      'local-state',
      'a CI system that creates a real site with state on its disk',
      ({ folder }) => ({
        url: 'https://gis.example.org/admin',
        environment: { ...someSecrets, CI: 'true' },
        state: fileBackend(join(folder, 'state')),
        ports: { client: siteWriter(emulator.url) },
      }),
      /which CI discards/,
    ],
  ])('%s: %s', async (kind, _, change, words) => {
    const request = await aRequest(emulator.url)
    const planned = await planSite({ ...request, ...change(request) })
    if (planned.ok) throw new Error('it was planned')
    expect(planned.error.kind).toBe(kind)
    expect(describeProblem(planned.error)).toMatch(words)
    expect(emulator.world().counters.configure.received).toBe(0)
  })
})

test('a site is not connected to if the signal is aborted before', async () => {
  const server = await httpDouble([])
  const ask = async (signal: AbortSignal) =>
    planSite({ ...(await aRequest(`http://127.0.0.1:${server.port}/admin`)), signal })
  const open = () => process.getActiveResourcesInfo().filter(name => name.startsWith('TCP')).length
  const before = open()
  expect(await ask(AbortSignal.abort())).toMatchObject({ ok: false, error: { kind: 'look' } })
  expect(open()).toBeLessThanOrEqual(before)
  expect(server.received).toEqual([])
  // With a later abort there is a connection, so the count above is meaningful.
  const stop = new AbortController()
  const asked = ask(stop.signal)
  while (server.received.length === 0) await new Promise(resolve => setImmediate(resolve))
  stop.abort()
  expect((await asked).ok).toBe(false)
})

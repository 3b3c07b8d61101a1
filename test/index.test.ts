import { readFileSync } from 'node:fs'
import { startEmulator } from '../src/emulator/server.js'
import {
  apply,
  bindFiles,
  createTokenProvider,
  deleteAll,
  exportSite,
  loadManifest,
  memoryBackend,
  noSettings,
  parseServiceName,
  plan,
  secretSource,
  siteOperator,
  siteReader,
  siteWriter,
  stateStore,
} from '../src/index.js'
import { someSecrets } from './support/some-secrets.js'
import { statePortsFor } from './support/some-state.js'
import { virtualClock } from './support/virtual-clock.js'

test('a program can load, plan and apply with only the exported functions', async () => {
  const clock = virtualClock()
  const emulator = await startEmulator({ now: clock.now })
  const { url } = emulator
  try {
    const loaded = loadManifest({
      name: 'examples/quickstart.yaml',
      bytes: readFileSync('examples/quickstart.yaml'),
    })
    if (!loaded.ok) throw new Error('the example is not valid')
    const { signal } = new AbortController()
    const secrets = secretSource(someSecrets, 'examples')
    const state = stateStore(memoryBackend(), { url }, statePortsFor(clock.now))
    const [bound, observed, kept] = [
      await bindFiles(loaded.value.organization, secrets),
      await siteReader(url).observe(signal),
      await state.read(),
    ]
    if (!bound.ok || !observed.ok || !kept.ok) throw new Error('nothing to plan from')
    const planned = plan({
      desired: loaded.value,
      observed: observed.value,
      record: kept.value?.record ?? { serial: 0 },
      url,
      settings: noSettings('not-offered'),
      files: bound.value.digests,
      licenses: bound.value.licenses,
      ignored: [],
      lifetimeMs: 24 * 3_600_000,
      now: clock.now(),
      tool: 'a program',
    })
    if (!planned.ok) throw new Error('no plan')
    const ports = {
      client: siteWriter(url),
      secrets,
      provideToken: createTokenProvider({ env: 'LANDFORM_TOKEN' }, secrets),
      state,
      clock,
      random: Math.random,
      nonce: () => 'a-request',
    }
    const types: string[] = []
    for await (const event of apply(planned.value, ports, {
      timeoutMs: 60_000,
      pollMs: 100,
      detach: false,
      signal,
    }))
      types.push(event.type)
    expect(types.at(0)).toBe('stream-started')
    expect(types.at(-1)).toBe('stream-finished')
    expect(emulator.world().counters.update.accepted).toBe(1)
  } finally {
    await emulator.close()
  }
})

test('a program can export a site and delete webhooks with only the exported functions', async () => {
  const emulator = await startEmulator({ token: someSecrets.LANDFORM_TOKEN })
  try {
    const ports = { client: siteOperator(emulator.url), secrets: secretSource(someSecrets, '.') }
    const options = { deadlineMs: 60_000, signal: new AbortController().signal }
    const token = { kind: 'secret', pointer: '/token', reference: { env: 'LANDFORM_TOKEN' } } as const
    const request = { location: '/backups', target: { kind: 'folder' }, validate: false, token } as const
    expect(await exportSite(request, ports, options)).toMatchObject({ kind: 'done' })
    const service = parseServiceName('Roads.FeatureServer')
    if (service === undefined) throw new Error('the name is one')
    expect(await deleteAll({ service, token }, ports, options)).toEqual({ kind: 'done' })
  } finally {
    await emulator.close()
  }
})

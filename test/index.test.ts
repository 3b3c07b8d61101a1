import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { startEmulator } from '../src/emulator/server.js'
import {
  apply,
  bindFiles,
  loadManifest,
  memoryRecordStore,
  plan,
  secretSource,
  siteReader,
  siteWriter,
} from '../src/index.js'
import { someSecrets } from './support/some-secrets.js'
import { virtualClock } from './support/virtual-clock.js'

test('a program can load, plan and apply with the exported functions alone', async () => {
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
    const records = memoryRecordStore(url)
    const [bound, observed, record] = [
      await bindFiles(loaded.value.organization, secrets),
      await siteReader(url).observe(signal),
      await records.read(),
    ]
    if (!bound.ok || !observed.ok || !record.ok) throw new Error('nothing to plan from')
    const planned = plan({
      desired: loaded.value,
      observed: observed.value,
      record: record.value,
      url,
      files: bound.digests,
      now: clock.now(),
      tool: 'a program',
    })
    if (!planned.ok) throw new Error('no plan')
    const ports = { client: siteWriter(url), secrets, records, clock, random: Math.random }
    const types: string[] = []
    for await (const event of apply(planned.plan, ports, {
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

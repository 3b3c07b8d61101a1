import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { credentialTypeNames } from '../src/contract/cloud.js'
import { type Emulator, startEmulator } from '../src/emulator/server.js'
import { loadManifest } from '../src/manifest/load-manifest.js'
import { hasChanges } from '../src/plan/plan.js'
import { rehearsalSource, secretSource } from '../src/secrets/secret-source.js'
import { applied, planFor, portsFor } from './support/applying.js'
import { exampleManifest, root } from './support/manifests.js'
import { virtualClock } from './support/virtual-clock.js'

const names = readdirSync(join(root, 'examples'))
  .filter(file => file.endsWith('.yaml'))
  .map(file => file.replace('.yaml', ''))

describe.each(names)('the example %s', name => {
  let clock = virtualClock()
  let emulator: Emulator

  beforeEach(async () => {
    clock = virtualClock()
    emulator = await startEmulator({ now: clock.now, version: exampleManifest(name).site.version })
  })
  afterEach(() => emulator.close())

  test('is valid without a word', () => {
    const source = { name, bytes: readFileSync(join(root, 'examples', `${name}.yaml`)) }
    expect(loadManifest(source).diagnostics).toEqual([])
  })

  test('tells editors where its schema is', () => {
    const [first] = readFileSync(join(root, 'examples', `${name}.yaml`), 'utf8').split('\n')
    expect(first).toBe('# yaml-language-server: $schema=../schemas/deployment.schema.json')
  })

  test('plans, applies, and then plans no change', async () => {
    const manifest = exampleManifest(name)
    const secrets = rehearsalSource(secretSource({}, join(root, 'examples')), () => 'abc123')
    const ports = portsFor(emulator.url, { clock, secrets })
    const first = await planFor(emulator.url, manifest, ports)
    expect(first.actions[0]).toMatchObject({ operation: 'configure', change: 'create' })
    const { receipt } = await applied(first, ports)
    expect(receipt.outcome).toEqual({ kind: 'done' })
    expect(emulator.world().counters.configure).toEqual({ received: 1, accepted: 1 })
    expect(hasChanges(await planFor(emulator.url, manifest, ports))).toBe(false)
  })
})

test('the examples show every credential type', () => {
  const shown = names.flatMap(name => exampleManifest(name).organization.cloudStorage ?? [])
  expect(new Set(shown.map(({ credential }) => credential.type))).toEqual(new Set(credentialTypeNames))
})

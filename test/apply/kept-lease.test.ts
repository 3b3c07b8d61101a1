import { redactObservation } from '../../src/client/redact/redacted.js'
import { redactOnly } from '../../src/client/redact/redactor.js'
import { startEmulator } from '../../src/emulator/server.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { applied, planFor, portsFor, scriptedSite } from '../support/applying.js'
import { exampleManifest } from '../support/manifests.js'
import { someState } from '../support/some-state.js'
import { virtualClock } from '../support/virtual-clock.js'

const leaseMs = 15 * 60_000
const nothing = { ok: true, value: { kind: 'not-configured', warnings: [], stages: [] } } as const
const goingOn = { ok: true, value: { kind: 'in-progress', warnings: [], stages: [] } } as const

test('a run that waits for hours has a valid lease at every poll', async () => {
  const emulator = await startEmulator()
  const clock = virtualClock()
  const state = someState(emulator.url, clock.now, { ...memoryBackend(), leaseMs })
  const plan = await planFor(emulator.url, exampleManifest(), portsFor(emulator.url))
  await emulator.close()
  const leftMs: number[] = []
  const site = scriptedSite([nothing, goingOn])
  const client = {
    ...site,
    async observe() {
      const kept = await state.read()
      const expiresAt = (kept.ok && kept.value?.lock?.expiresAt) || ''
      leftMs.push(Date.parse(expiresAt) - clock.now())
      return site.observe(new AbortController().signal)
    },
  }
  const { receipt } = await applied(plan, portsFor(emulator.url, { client, clock, state }))
  expect(receipt.outcome).toMatchObject({ kind: 'in-progress', because: 'timeout' })
  expect(leftMs.length).toBeGreaterThan(1000)
  expect(Math.min(...leftMs)).toBeGreaterThan(leaseMs / 2)
})

test('a run has a valid lease at every poll that takes 30 s and brings 3 MB, and searches 65,536 characters of each', async () => {
  const emulator = await startEmulator()
  const clock = virtualClock()
  const state = someState(emulator.url, clock.now, { ...memoryBackend(), leaseMs })
  const plan = await planFor(emulator.url, exampleManifest(), portsFor(emulator.url))
  await emulator.close()
  const large = Array.from({ length: 50 }, () => 'x'.repeat(60_000))
  const leftMs: number[] = []
  const searched: number[] = []
  const site = scriptedSite([nothing])
  const client = {
    ...site,
    async observe() {
      clock.pass(30_000)
      const kept = await state.read()
      leftMs.push(Date.parse((kept.ok && kept.value?.lock?.expiresAt) || '') - clock.now())
      let characters = 0
      const redaction = redactOnly(text => {
        characters += text.length
        return text
      })
      const warnings = [`warning ${leftMs.length}`, ...large.slice(1)]
      const seen = { kind: 'in-progress', warnings, stages: [] } as const
      const reply = redactObservation({ ok: true, value: seen }, redaction)
      searched.push(characters)
      return reply
    },
  }
  const { receipt } = await applied(plan, portsFor(emulator.url, { client, clock, state }))
  expect(receipt.outcome).toMatchObject({ kind: 'in-progress', because: 'timeout' })
  expect(leftMs.length).toBeGreaterThan(300)
  expect(Math.min(...leftMs)).toBeGreaterThan(leaseMs / 2)
  expect(Math.max(...searched)).toBeLessThanOrEqual(65_536)
})

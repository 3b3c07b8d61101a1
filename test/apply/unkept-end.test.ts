import type { Reply } from '../../src/client/failure.js'
import type { Observation } from '../../src/plan/observation.js'
import { applied, planFor, portsFor, scriptedSite } from '../support/applying.js'
import { exampleManifest } from '../support/manifests.js'
import { failingFrom, someState } from '../support/some-state.js'

const { policy: _, ...manifest } = exampleManifest()
const { url } = manifest.site
const look = (kind: 'not-configured' | 'in-progress' | 'ready'): Reply<Observation> => ({
  ok: true,
  value: { kind, warnings: [], stages: [] },
})
const failure = { kind: 'unwritable', where: 'here', reason: { kind: 'system', message: 'ENOSPC' } } as const

test.each([
  ['that detached', true],
  ['that saw the site ready', false],
])('a run %s reports that its end could not be recorded', async (_what, detach) => {
  const client = scriptedSite([look('not-configured'), look('not-configured'), look('ready')])
  const first = portsFor(url, { client })
  const ports = { ...first, state: someState(url, first.clock.now, failingFrom(4, failure)) }
  const { receipt } = await applied(await planFor(url, manifest, ports), ports, { detach })
  expect(receipt.outcome).toStrictEqual({ kind: 'not-recorded', after: 'configure', failure })
})

test('after a rejection, one poll that shows a configuration is enough to send nothing', async () => {
  const refusal = { kind: 'refused', status: 400, code: 400, message: 'x' } as const
  const send = async () => ({ ok: false, error: refusal }) as const
  const observed: Observation = { kind: 'not-configured', warnings: [], stages: [] }
  const call = { observed, deadlineMs: 900_000, send, discard: () => undefined }
  const refusing = scriptedSite([look('not-configured')], {
    openConfigure: async () => ({ ok: true, value: call }),
  })
  const first = portsFor(url, { client: refusing })
  await applied(await planFor(url, manifest, first), first)
  const none = look('not-configured')
  const client = scriptedSite([none, look('in-progress'), none])
  const ports = { ...first, client }
  const { receipt } = await applied(await planFor(url, manifest, ports), ports, {
    resubmitAfterRejection: true,
  })
  expect(receipt.outcome.kind).toBe('stale')
  expect(client.calls).not.toContain('configure')
})

test('a saved plan is not performed if its use cannot be recorded', async () => {
  const client = scriptedSite([look('not-configured')])
  const first = portsFor(url, { client })
  const ports = { ...first, state: someState(url, first.clock.now, failingFrom(2, failure)) }
  const planId = `sha256:${'b'.repeat(64)}`
  const { receipt } = await applied(await planFor(url, manifest, ports), ports, { planId })
  expect(receipt.outcome).toStrictEqual({ kind: 'not-recorded', after: 'nothing', failure })
  expect(client.calls).not.toContain('configure')
})

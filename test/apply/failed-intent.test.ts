import { apply } from '../../src/apply/apply.js'
import { buildSubmissionEntry, withSubmissionState } from '../../src/apply/journal.js'
import type { Reply } from '../../src/client/failure.js'
import type { Observation } from '../../src/plan/observation.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import type { StateBackend } from '../../src/state/series.js'
import { stateStore } from '../../src/state/state-store.js'
import { applied, planFor, portsFor, scriptedSite } from '../support/applying.js'
import { exampleManifest } from '../support/manifests.js'
import { addingBy, someState, statePortsFor } from '../support/some-state.js'

const { policy: _, ...manifest } = exampleManifest()
const { url } = manifest.site
const look = (kind: 'not-configured' | 'in-progress' | 'ready'): Reply<Observation> => ({
  ok: true,
  value: { kind, warnings: [], stages: [] },
})

/** A backend that reports a failure for the intent, which is the second version that a run writes. */
function failingTheIntent(isKept: boolean): StateBackend {
  let writes = 0
  return addingBy(memoryBackend(), async (series, version) => {
    writes += 1
    if (writes !== 2) return series.add(version)
    if (isKept) await series.add(version)
    return {
      ok: false,
      error: { kind: 'unwritable', where: 'here', reason: { kind: 'system', message: 'ENOSPC' } },
    }
  })
}

test.each([
  ['is not stored', false],
  ['is stored all the same', true],
])('no run waits for a request whose intent could not be written and %s', async (_what, isKept) => {
  const client = scriptedSite([...Array(4).fill(look('not-configured')), look('in-progress'), look('ready')])
  const first = portsFor(url, { client })
  const ports = { ...first, state: someState(url, first.clock.now, failingTheIntent(isKept)) }
  const { receipt } = await applied(await planFor(url, manifest, ports), ports)
  expect(receipt.outcome).toMatchObject({ kind: 'not-recorded', after: 'nothing' })
  expect(client.calls).not.toContain('configure')
  const again = await applied(await planFor(url, manifest, ports), ports)
  expect(again.receipt.outcome).toStrictEqual({ kind: 'done' })
  expect(client.calls.filter(call => call === 'configure')).toHaveLength(1)
})

/** A site that is configured once it receives a request. */
function askedSite() {
  let discarded = 0
  const site = scriptedSite([look('not-configured')], {
    async openConfigure() {
      const discard = () => {
        discarded += 1
      }
      const send = async () => {
        site.calls.push('configure')
        return look('in-progress')
      }
      const observed: Observation = { kind: 'not-configured', warnings: [], stages: [] }
      return { ok: true, value: { observed, deadlineMs: 900_000, send, discard } }
    },
    observe: async () => look(site.calls.includes('configure') ? 'ready' : 'not-configured'),
  })
  return { site, discarded: () => discarded }
}

test('if the events are read no further once the intent is written, it is marked as not sent and nothing is sent', async () => {
  const { site, discarded } = askedSite()
  const ports = portsFor(url, { client: site })
  const { signal } = new AbortController()
  const options = { timeoutMs: 60_000, pollMs: 5000, detach: false, signal }
  for await (const event of apply(await planFor(url, manifest, ports), ports, options))
    if (event.type === 'intent-written') break
  expect({ calls: site.calls, discarded: discarded() }).toStrictEqual({ calls: [], discarded: 1 })
  const again = await applied(await planFor(url, manifest, ports), ports)
  expect(again.receipt.outcome).toStrictEqual({ kind: 'done' })
  expect(site.calls).toStrictEqual(['configure'])
})

test('an interrupt while the intent is written sends nothing', async () => {
  const { site, discarded } = askedSite()
  const stop = new AbortController()
  const backend = memoryBackend()
  const stopping: StateBackend = {
    ...backend,
    series: name => ({
      ...backend.series(name),
      async add(version) {
        if (version.text.includes('"state": "intent"')) stop.abort()
        return backend.series(name).add(version)
      },
    }),
  }
  const first = portsFor(url, { client: site })
  const ports = { ...first, state: someState(url, first.clock.now, stopping) }
  const { receipt } = await applied(await planFor(url, manifest, ports), ports, { signal: stop.signal })
  expect(receipt.outcome).toStrictEqual({ kind: 'interrupted' })
  expect({ calls: site.calls, discarded: discarded() }).toStrictEqual({ calls: [], discarded: 1 })
  const again = await applied(await planFor(url, manifest, ports), ports)
  expect(again.receipt.outcome).toStrictEqual({ kind: 'done' })
})

/** Applies a plan, and calls `happens` once the intent is written, while the run is paused. */
async function meanwhile(happens: (backend: StateBackend) => Promise<void>, backend = memoryBackend()) {
  const { site, discarded } = askedSite()
  const first = portsFor(url, { client: site })
  const ports = { ...first, state: someState(url, first.clock.now, backend) }
  const { signal } = new AbortController()
  const options = { timeoutMs: 60_000, pollMs: 5000, detach: false, signal }
  const stream = apply(await planFor(url, manifest, ports), ports, options)
  for (;;) {
    const step = await stream.next()
    if (step.done === true) return { ...step.value, ports, calls: site.calls, discarded: discarded() }
    if (step.value.type === 'intent-written') await happens(backend)
  }
}

test('a run that resumes after its intent was discarded sends nothing, and leaves the state as it is', async () => {
  const { outcome, calls, discarded, ports } = await meanwhile(async backend => {
    // The other run considers the process of this one gone.
    const dead = statePortsFor(() => 0, { liveness: async () => 'dead' })
    const taken = await stateStore(backend, { url }, dead).take('state discard-intent')
    if (taken.kind !== 'held') throw new Error(taken.kind)
    await taken.held.write(buildSubmissionEntry('cleared'), content =>
      withSubmissionState(content, { state: 'cleared', now: 0 }),
    )
    await taken.held.release({ type: 'released' })
  })
  expect(outcome).toMatchObject({ kind: 'not-recorded', after: 'nothing', failure: { kind: 'overtaken' } })
  expect({ calls, discarded }).toStrictEqual({ calls: [], discarded: 1 })
  expect(await ports.state.read()).toMatchObject({ value: { submission: { state: 'cleared' } } })
})

test('an intent that cannot be read again before the first byte is sent sends nothing', async () => {
  const failure = { kind: 'unreadable', where: 'here', reason: { kind: 'system', message: 'EIO' } } as const
  let isLost = false
  const kept = memoryBackend()
  const backend: StateBackend = {
    ...kept,
    series: name => ({
      ...kept.series(name),
      newest: async () => (isLost ? { ok: false, error: failure } : kept.series(name).newest()),
    }),
  }
  const lose = async () => {
    isLost = true
  }
  const { outcome, calls, ports } = await meanwhile(lose, backend)
  expect(outcome).toStrictEqual({ kind: 'not-recorded', after: 'nothing', failure })
  expect(calls).toStrictEqual([])
  isLost = false
  expect(await ports.state.read()).toMatchObject({ value: { submission: { state: 'not-sent' } } })
})

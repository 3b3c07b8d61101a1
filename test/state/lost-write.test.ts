import { memoryBackend } from '../../src/state/memory-backend.js'
import type { StateBackend } from '../../src/state/series.js'
import { stateStore } from '../../src/state/state-store.js'
import { addingBy, statePortsFor } from '../support/some-state.js'

const site = 'https://gis.example.org/arcgis/admin'

const ports = statePortsFor(() => 0, { liveness: async () => 'dead' })

/** A backend that writes the version with this number but reports a failure, as after a lost connection. */
function losing(backend: StateBackend, lost: number): StateBackend {
  return addingBy(backend, async (series, version) => {
    const added = await series.add(version)
    const failure = {
      kind: 'unwritable',
      where: 'memory',
      reason: { kind: 'system', message: 'lost' },
    } as const
    const isLost = version.serial === lost && added.ok && added.value
    return isLost ? { ok: false, error: failure } : added
  })
}

test("a write that failed and exists nevertheless does not count as another run's", async () => {
  const backend = memoryBackend()
  const store = stateStore(losing(backend, 2), { url: site }, ports)
  const taken = await store.take('apply')
  if (taken.kind !== 'held') throw new Error(taken.kind)
  expect((await taken.held.write({ type: 'renewed' }, content => content)).ok).toBe(false)
  expect((await taken.held.write({ type: 'renewed' }, content => content)).ok).toBe(true)
  expect((await taken.held.release({ type: 'released' })).ok).toBe(true)
  const history = await store.history()
  expect(history.ok && history.value.map(({ entry }) => entry.type)).toEqual([
    'locked',
    'renewed',
    'renewed',
    'released',
  ])
})

test('a takeover by another run is detected, and nothing is overwritten', async () => {
  const backend = memoryBackend()
  const first = await stateStore(backend, { url: site }, ports).take('apply')
  const second = await stateStore(backend, { url: site }, ports).take('apply')
  if (first.kind !== 'held' || second.kind !== 'held') throw new Error('not held')
  const failure = { kind: 'overtaken' }
  expect(await first.held.write({ type: 'renewed' }, content => content)).toMatchObject({ error: failure })
  expect(await first.held.write({ type: 'renewed' }, content => content)).toMatchObject({ error: failure })
  expect((await second.held.write({ type: 'renewed' }, content => content)).ok).toBe(true)
})

import type { SubmissionState } from '../../src/plan/submission.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import type { DeclaredSite, StateBackend } from '../../src/state/series.js'
import { stateStore } from '../../src/state/state-store.js'
import { aSubmission } from '../support/a-submission.js'
import { statePortsFor } from '../support/some-state.js'

const first = {
  url: 'https://gis.example.org/arcgis/admin',
  name: 'first',
  manifest: 'git.example.org/sites:site.yaml',
}
const other = {
  url: 'https://maps.example.org/arcgis/admin',
  name: 'second',
  manifest: 'git.example.org/sites:site.yaml',
}
const ports = statePortsFor(() => 0)
const storeOf = (backend: StateBackend, site: DeclaredSite) => stateStore(backend, site, ports)

/** A backend with a request of the first site in this state. */
async function aPlace(
  state: SubmissionState,
  site: DeclaredSite = first,
  backend: StateBackend = memoryBackend(),
): Promise<StateBackend> {
  const taken = await storeOf(backend, site).take('apply')
  if (taken.kind !== 'held') throw new Error(taken.kind)
  for (const now of ['intent', state] as const)
    await taken.held.write({ type: 'submission', state: now }, content => ({
      ...content,
      submission: aSubmission({ state: now }),
    }))
  await taken.held.release({ type: 'released' })
  return backend
}

const renamed = {
  kind: 'promised-elsewhere',
  reason: { kind: 'renamed-site', name: 'first', site: first.url },
  to: { site: first.url },
  calledBy: other.url,
}

test.each(['intent', 'unknown'] as const)(
  'a request in the state %s blocks the manifest once its name and address have changed',
  async state => {
    const store = storeOf(await aPlace(state), other)
    expect(await store.read()).toMatchObject({ ok: false, error: renamed })
    expect(await store.take('apply')).toMatchObject({ kind: 'failed', failure: renamed })
    // It still fails after the first attempt has claimed the name.
    expect(await store.take('apply')).toMatchObject({ kind: 'failed', failure: renamed })
  },
)

test.each(['acknowledged', 'not-sent', 'rejected', 'begun', 'ready', 'failed', 'cleared'] as const)(
  'a request in the state %s does not block it',
  async state => {
    const backend = await aPlace(state)
    expect(await storeOf(backend, other).read()).toEqual({ ok: true, value: undefined })
    expect((await storeOf(backend, other).take('apply')).kind).toBe('held')
  },
)

test.each<[string, DeclaredSite, DeclaredSite]>([
  [
    'a manifest with the same path in another repository',
    first,
    { ...other, manifest: 'git.example.org/more:site.yaml' },
  ],
  ['a site in another file', first, { ...other, manifest: 'git.example.org/sites:other.yaml' }],
  ['a manifest without a path', first, { ...other, manifest: undefined }],
  ['the same name, whose own chain has the request', first, { ...other, name: 'first', url: first.url }],
  ['an address without a name', first, { url: other.url }],
  [
    'another emulator',
    { ...first, url: 'http://127.0.0.1:4000/admin' },
    { ...other, url: 'http://127.0.0.1:4001/admin' },
  ],
])('%s is not blocked', async (_, one, next) => {
  const backend = await aPlace('unknown', one)
  expect(await storeOf(backend, next).read()).toMatchObject({ ok: true })
})

test('a site with state of its own is known', async () => {
  const backend = await aPlace('unknown', { ...other, manifest: 'git.example.org/sites:other.yaml' })
  await aPlace('unknown', first, backend)
  expect(await storeOf(backend, other).read()).toMatchObject({ ok: true, value: { site: other.url } })
})

describe('a request that has three records', () => {
  /** Copies the versions of the series with these keys, and the first ones of the site. */
  const copied = async (backend: StateBackend, keys: readonly string[], versions: number) => {
    const copy = memoryBackend()
    for (const [key, most] of [[first.url, versions], ...keys.map(one => [one, 99] as const)] as const) {
      const all = await backend.series(key).all()
      for (const version of all.ok ? all.value.slice(0, most) : []) await copy.series(key).add(version)
    }
    return copy
  }
  const [name, manifest] = ['name://first', `file://manifest/${encodeURIComponent(first.manifest)}`]

  test.each([
    ['the name', 0, name],
    ['the name', 1, name],
    ['the manifest', 0, manifest],
    ['the manifest', 1, manifest],
  ])(
    'is not sent again if only %s has it, and the first %i versions of the site',
    async (_, versions, key) => {
      const copy = await copied(await aPlace('unknown'), [key], versions)
      const missing = { kind: 'damaged', reason: { kind: 'missing-request', recordedIn: 'memory' } }
      expect(await storeOf(copy, first).read()).toMatchObject({ ok: false, error: missing })
      expect(await storeOf(copy, first).take('apply')).toMatchObject({ kind: 'failed', failure: missing })
    },
  )

  test('is unknown if none has it, and the site begins from the start', async () => {
    const copy = await copied(await aPlace('unknown'), [], 0)
    expect((await storeOf(copy, first).take('apply')).kind).toBe('held')
  })
})

import { openChain } from '../../src/state/chain.js'
import { openManifestChain, openNameChain, readClaim } from '../../src/state/claims.js'
import type { IntentNote } from '../../src/state/intent-notes.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import type { HeldState } from '../../src/state/ports.js'
import type { DeclaredSite, Series, StateBackend, Version } from '../../src/state/series.js'
import { describePointer, openSiteChains, type SiteNotes } from '../../src/state/site-chains.js'
import {
  emptyContent,
  type SiteState,
  type StateContent,
  type StateEntry,
} from '../../src/state/site-state.js'
import type { StateFailure } from '../../src/state/state-failure.js'
import { stateStore } from '../../src/state/state-store.js'
import { aSubmission } from '../support/a-submission.js'
import { addingBy, statePortsFor } from '../support/some-state.js'

const url = 'https://gis.example.org/arcgis/admin'
const maps = 'https://maps.example.org/arcgis/admin'
const manifest = 'git.example.org/sites:site.yaml'
const declared: DeclaredSite = { url, name: 'first', manifest }
const ports = statePortsFor(() => 0)
const intent = { type: 'submission', state: 'intent' } as const
const reason = { kind: 'system', message: 'away' } as const
const away: StateFailure = { kind: 'unreadable', where: 'memory', reason }

const storeOf = (backend: StateBackend, site = declared, notes?: SiteNotes) =>
  stateStore(backend, site, { ...ports, notes })

async function take(backend: StateBackend, site = declared, notes?: SiteNotes): Promise<HeldState> {
  const taken = await storeOf(backend, site, notes).take('apply')
  if (taken.kind !== 'held') throw new Error(taken.kind)
  return taken.held
}

const submitted =
  (changes: Parameters<typeof aSubmission>[0] = {}) =>
  (content: StateContent): StateContent => ({ ...content, submission: aSubmission(changes) })

/** Writes the intent of a request, and releases the site. */
async function send(backend: StateBackend, site = declared, notes?: SiteNotes): Promise<void> {
  const held = await take(backend, site, notes)
  expect(await held.write(intent, submitted())).toEqual({ ok: true, value: undefined })
  await held.release({ type: 'released' })
}

/** The notes of a machine with this note, and the notes that it was told to forget. */
function notesOf(note: IntentNote | undefined) {
  const forgotten: IntentNote[] = []
  const notes: SiteNotes = {
    file: 'the note',
    find: async () => note,
    findFormer: async () => undefined,
    forget: async one => void forgotten.push(one),
    watch: held => held,
  }
  return { notes, forgotten }
}

describe('a request', () => {
  test('is recorded under the name and under the manifest, after its own version, without a race', async () => {
    const adds: [string, boolean][] = []
    const backend = memoryBackend()
    const counted = addingBy(backend, async (series, version) => {
      const added = await series.add(version)
      adds.push([`${version.title}`, added.ok && added.value])
      return added
    })
    await send(counted)
    expect(adds).toEqual([
      [`moved: ${url}`, true],
      ['locked: apply', true],
      ['submission: intent', true],
      [`moved: ${url}`, true],
      [`moved: ${url}`, true],
      ['released', true],
    ])
    const request = { nonce: 'a-request', generation: 1 }
    const name = await openNameChain(backend, 'first', ports).newest()
    const file = await openManifestChain(backend, manifest, ports).newest()
    expect(name.ok && readClaim(name.value)).toMatchObject({ site: url, request })
    expect(file.ok && readClaim(file.value)).toMatchObject({ site: url, name: 'first', request })
  })

  test.each<[string, DeclaredSite, number]>([
    ['a site without a manifest', { url, name: 'first' }, 0],
    ['a site without a name', { url, manifest }, 0],
    ['a site with only an address', { url }, 0],
    ['a declared site', declared, 1],
  ])('is recorded under the manifest only if the site has a name: %s', async (_, site, count) => {
    const backend = memoryBackend()
    await send(backend, site)
    const history = await openManifestChain(backend, manifest, ports).history()
    expect(history.ok && history.value).toHaveLength(count)
  })

  test('stays recorded under the name when the site is locked again', async () => {
    const backend = memoryBackend()
    await send(backend)
    const before = await openNameChain(backend, 'first', ports).newest()
    await (await take(backend)).release({ type: 'released' })
    expect(await openNameChain(backend, 'first', ports).newest()).toEqual(before)
  })

  /** A backend whose first read of the site returns `first`, with the number of its reads. */
  function readingFirst(backend: StateBackend, first: Awaited<ReturnType<Series['newest']>>) {
    const reads = { count: 0 }
    const series = (site: string): Series => {
      const real = backend.series(site)
      const newest: Series['newest'] = async check => {
        if (site !== url) return real.newest(check)
        reads.count += 1
        return reads.count === 1 ? first : real.newest(check)
      }
      return { ...real, newest }
    }
    return { reads, slow: { ...backend, series } }
  }

  test('is not missing if another run wrote it between two reads', async () => {
    const backend = memoryBackend()
    await (await take(backend)).release({ type: 'released' })
    const early = await backend.series(url).newest()
    await send(backend)
    const { reads, slow } = readingFirst(backend, early)
    expect(await storeOf(slow).read()).toMatchObject({ ok: true, value: { submission: { state: 'intent' } } })
    expect(reads.count).toBe(2)
  })

  test('whose site cannot be read is not read again', async () => {
    const failed = { ok: false, error: away } as const
    const { reads, slow } = readingFirst(memoryBackend(), failed)
    expect(await storeOf(slow).read()).toEqual(failed)
    expect(reads.count).toBe(1)
  })
})

test('a name that belongs to another address is not claimed', () => {
  const backend = memoryBackend()
  const chain = openNameChain(backend, 'first', ports)
  const named = chain.build(undefined, { type: 'moved', site: maps }, emptyContent)
  const chains = openSiteChains(backend, declared, { ports })
  const failure = { kind: 'moved', reason: { kind: 'other-address', site: maps, url } }
  expect(chains.claim({ named, declared: undefined })).toMatchObject({ ok: false, error: failure })
  const request = aSubmission()
  expect(chains.claim({ named, declared: undefined }, request)).toMatchObject({ ok: false, error: failure })
})

test('a site is not begun if the state of the site that the manifest declared before cannot be read', async () => {
  const backend = memoryBackend()
  await send(backend)
  const broken: StateBackend = {
    ...backend,
    series(site) {
      const series = backend.series(site)
      return site === url ? { ...series, newest: async () => ({ ok: false, error: away }) } : series
    },
  }
  const renamed = { url: maps, name: 'second', manifest }
  expect(await storeOf(broken, renamed).read()).toEqual({ ok: false, error: away })
  expect(await storeOf(broken, renamed).take('apply')).toEqual({ kind: 'failed', failure: away })
})

describe('the pointer at the end of a chain', () => {
  const state: SiteState = {
    formatVersion: 1,
    site: url,
    lineage: 'a',
    serial: 1,
    previous: null,
    writtenAt: '2026-03-04T05:06:07.089Z',
    tool: 'landform/test',
    entry: { type: 'released' },
    ...emptyContent,
  }

  test.each<[string, StateEntry, object]>([
    ['another place', { type: 'moved', state: 'file:there' }, { state: 'file:there' }],
    ['another address', { type: 'moved', site: maps }, { site: maps }],
    ['both', { type: 'moved', state: 'file:there', site: maps }, { state: 'file:there', site: maps }],
    ['nothing, if it is no pointer', { type: 'submission', state: 'intent' }, {}],
  ])('leads to %s', (_, entry, to) => {
    const failure = { kind: 'moved', where: 'here', reason: { kind: 'moved', to, lineage: 'a' }, to }
    expect(describePointer('here', { ...state, entry })).toStrictEqual(failure)
  })

  test('has the request of its version, and nothing else of it', () => {
    const entry = { type: 'moved', site: maps } as const
    const request = { nonce: 'a-request', generation: 1 }
    const { reason } = describePointer('here', { ...state, entry, submission: aSubmission() })
    expect(reason).toStrictEqual({ kind: 'moved', to: { site: maps }, lineage: 'a', request })
  })
})

describe('the note of this machine', () => {
  const noteOf = (lineage: string, changes: Partial<IntentNote> = {}): IntentNote => ({
    site: url,
    state: 'file:there',
    lineage,
    nonce: 'a-request',
    generation: 1,
    recordedAt: '2026-03-04T05:06:07.089Z',
    ...changes,
  })
  const lineageOf = async (backend: StateBackend) => {
    const newest = await openChain(backend, url, ports).newest()
    return (newest.ok && newest.value?.state.lineage) || 'none'
  }

  /** A place with versions of the site, or only with its request under the name. */
  async function aPlace(versions: 'all' | 'the first' | 'none'): Promise<StateBackend> {
    const backend = memoryBackend()
    await send(backend)
    const copy = memoryBackend()
    const last = { all: 9, 'the first': 1, none: 0 }[versions]
    for (const [site, most] of [
      [url, last],
      ['name://first', 9],
    ] as const) {
      const all = await backend.series(site).all()
      const some: readonly Version[] = all.ok ? all.value.slice(0, most) : []
      for (const version of some) await copy.series(site).add(version)
    }
    return copy
  }

  test.each<['all' | 'the first' | 'none', string, Partial<IntentNote>, string]>([
    ['all', 'another', {}, 'intent-elsewhere'],
    ['all', 'the same', { nonce: 'later', generation: 2 }, 'intent-missing'],
    ['the first', 'the same', {}, 'intent-missing'],
    ['none', 'the same', {}, 'intent-missing'],
    // The name misses another request than the note.
    ['none', 'another', { nonce: 'later' }, 'intent-elsewhere'],
  ])('contradicts a site with %s of its versions and %s history: %j', async (versions, of, changes, kind) => {
    const backend = await aPlace(versions)
    const lineage = of === 'another' ? of : await lineageOf(backend)
    const { notes } = notesOf(noteOf(lineage, changes))
    const error = { kind: 'promised-elsewhere', where: 'the note', reason: { kind, where: 'file:there' } }
    expect(await storeOf(backend, declared, notes).read()).toEqual({ ok: false, error })
  })

  test('with an address says where the place was', async () => {
    const { notes } = notesOf(noteOf('another', { address: 'postgres.example.org' }))
    const reason = { kind: 'intent-elsewhere', where: 'file:there (postgres.example.org)' }
    expect(await storeOf(memoryBackend(), { url }, notes).read()).toMatchObject({ error: { reason } })
  })

  test('does not contradict a site that has its request', async () => {
    const backend = await aPlace('all')
    const { notes } = notesOf(noteOf(await lineageOf(backend)))
    expect(await storeOf(backend, declared, notes).read()).toMatchObject({ ok: true })
  })

  test.each<[string, Parameters<typeof aSubmission>[0], boolean]>([
    ['is kept while its request is open', {}, false],
    ['is kept while the outcome of its request is unknown', { state: 'unknown' }, false],
    ['is forgotten once its request has begun', { state: 'begun' }, true],
    ['is forgotten once a later request is open', { nonce: 'later', generation: 2 }, true],
  ])('%s', async (_, changes, isForgotten) => {
    const backend = memoryBackend()
    const held = await take(backend, { url })
    await held.write(intent, submitted(changes))
    await held.release({ type: 'released' })
    const note = noteOf(held.lineage)
    const { notes, forgotten } = notesOf(note)
    await take(backend, { url }, notes)
    expect(forgotten).toEqual(isForgotten ? [note] : [])
  })

  test('is not forgotten if there is none', async () => {
    const { notes, forgotten } = notesOf(undefined)
    await take(memoryBackend(), { url }, notes)
    expect(forgotten).toEqual([])
  })
})

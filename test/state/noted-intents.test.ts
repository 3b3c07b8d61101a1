import { writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type IntentNote, type IntentNotes, openIntentNotes } from '../../src/state/intent-notes.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { findStateFolder, openSiteNotes, withHome } from '../../src/state/noted-intents.js'
import type { StateStore, TakeResult } from '../../src/state/ports.js'
import type { DeclaredSite, StateBackend } from '../../src/state/series.js'
import type { StateContent } from '../../src/state/site-state.js'
import { stateStore } from '../../src/state/state-store.js'
import { aSubmission } from '../support/a-submission.js'
import { failingFrom, statePortsFor } from '../support/some-state.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const url = 'https://gis.example.org/arcgis/admin'
const ports = statePortsFor(() => 0)

afterEach(removeTemporaryFolders)

const someNotes = async () => openIntentNotes(join(await temporaryFolder(), 'intents'))

/** A store with state of its own, whose open intents are noted in a folder. */
function aStore(notes: IntentNotes, backend: StateBackend = memoryBackend()): StateStore {
  const isEmulatorGone = async (_: string, emulator: string) => emulator === 'gone'
  const options = { notes, site: { url }, where: 'memory', isEmulatorGone }
  return stateStore(backend, { url }, { ...ports, notes: openSiteNotes(options) })
}

const promised = (content: StateContent): StateContent => ({
  ...content,
  submission: aSubmission({ state: 'intent' }),
})
const as =
  (state: 'begun' | 'not-sent' | 'unknown') =>
  (content: StateContent): StateContent => ({ ...content, submission: aSubmission({ state }) })

async function held(taken: Promise<TakeResult>) {
  const result = await taken
  if (result.kind !== 'held') throw new Error(result.kind)
  return result.held
}

test('of eight runs with state of their own, at most one writes an intent', async () => {
  const notes = await someNotes()
  const all = await Promise.all(Array.from({ length: 8 }, () => held(aStore(notes).take('apply'))))
  const written = await Promise.all(
    all.map(one => one.write({ type: 'submission', state: 'intent' }, promised)),
  )
  expect(written.filter(({ ok }) => ok)).toHaveLength(1)
  for (const one of written)
    if (!one.ok) expect(one.error).toMatchObject({ kind: 'overtaken', where: expect.any(String) })
})

test('a run that took its state before another run wrote an intent writes none itself, since its state is outdated', async () => {
  const notes = await someNotes()
  const late = await held(aStore(notes).take('apply'))
  const other = await held(aStore(notes).take('apply'))
  await other.write({ type: 'submission', state: 'intent' }, promised)
  await other.write({ type: 'submission', state: 'begun' }, as('begun'))
  const reply = await late.write({ type: 'submission', state: 'intent' }, promised)
  expect(reply).toMatchObject({ ok: false, error: { kind: 'overtaken' } })
})

test('an open intent keeps other state from being read and locked, until its outcome is known', async () => {
  const notes = await someNotes()
  const [one, other] = [aStore(notes), aStore(notes)]
  const first = await held(one.take('apply'))
  await first.write({ type: 'submission', state: 'intent' }, promised)
  await first.write({ type: 'submission', state: 'unknown' }, as('unknown'))
  await first.release({ type: 'released' })
  const refused = { kind: 'promised-elsewhere' }
  expect(await other.read()).toMatchObject({ error: refused })
  expect(await other.take('apply')).toMatchObject({ kind: 'failed', failure: refused })
  expect(await one.read()).toMatchObject({ ok: true })
  const again = await held(one.take('apply'))
  await again.write({ type: 'submission', state: 'begun' }, as('begun'))
  await again.release({ type: 'released' })
  expect(await other.read()).toEqual({ ok: true, value: undefined })
  expect((await other.take('apply')).kind).toBe('held')
})

test('state that was restored from before an open intent is neither read nor locked, unless it has a later request', async () => {
  const notes = await someNotes()
  const place = memoryBackend()
  const storeOf = (backend: StateBackend) => aStore(notes, backend)
  const first = await held(storeOf(place).take('apply'))
  const before = await place.series(url).all()
  await first.write({ type: 'submission', state: 'intent' }, promised)
  await first.release({ type: 'released' })
  const copy = memoryBackend()
  for (const version of before.ok ? before.value : []) await copy.series(url).add(version)
  const missing = { kind: 'promised-elsewhere', reason: { kind: 'intent-missing' } }
  expect(await storeOf(copy).read()).toMatchObject({ error: missing })
  expect(await storeOf(copy).take('apply')).toMatchObject({ kind: 'failed', failure: missing })
  const elsewhere = await held(
    stateStore(
      copy,
      { url },
      statePortsFor(() => 0, { liveness: async () => 'dead' }),
    ).take('apply'),
  )
  const submission = aSubmission({ state: 'unknown', nonce: 'another', generation: 2 })
  await elsewhere.write({ type: 'submission', state: 'unknown' }, content => ({ ...content, submission }))
  await elsewhere.release({ type: 'released' })
  expect(await storeOf(copy).read()).toMatchObject({ ok: true })
})

test('a note is removed by the next run with its state, if another machine has seen the outcome', async () => {
  const [notes, place] = [await someNotes(), memoryBackend()]
  const elsewhere = stateStore(place, { url }, ports)
  const here = aStore(notes, place)
  const first = await held(here.take('apply'))
  await first.write({ type: 'submission', state: 'intent' }, promised)
  await first.release({ type: 'released' })
  const there = await held(elsewhere.take('apply'))
  await there.write({ type: 'submission', state: 'begun' }, as('begun'))
  await there.release({ type: 'released' })
  expect(await aStore(notes).read()).toMatchObject({ error: { kind: 'promised-elsewhere' } })
  await (await held(here.take('apply'))).release({ type: 'released' })
  expect(await aStore(notes).read()).toEqual({ ok: true, value: undefined })
})

test('an intent that could not be written to its state is not noted', async () => {
  const notes = await someNotes()
  const failure = {
    kind: 'unwritable',
    where: 'memory',
    reason: { kind: 'system', message: 'the disk is full' },
  } as const
  const one = await held(aStore(notes, failingFrom(2, failure)).take('apply'))
  expect((await one.write({ type: 'submission', state: 'intent' }, promised)).ok).toBe(false)
  expect((await aStore(notes).take('apply')).kind).toBe('held')
})

test('notes that cannot be written or read do not prevent an intent', async () => {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'a file'), '')
  const unusable = join(folder, 'a file', 'intents')
  const one = await held(aStore(openIntentNotes(unusable)).take('apply'))
  expect(one.unnoted).toBeUndefined()
  expect((await one.write({ type: 'submission', state: 'intent' }, promised)).ok).toBe(true)
  expect(one.unnoted).toEqual({ folder: unusable })
  const homeless = await held(aStore(openIntentNotes(undefined)).take('apply'))
  expect((await homeless.write({ type: 'submission', state: 'intent' }, promised)).ok).toBe(true)
  expect(homeless.unnoted).toEqual({})
  const notes = openIntentNotes(folder)
  writeFileSync(notes.fileOf(url), '{', { mode: 0o600 })
  const other = await held(aStore(notes).take('apply'))
  expect((await other.write({ type: 'submission', state: 'intent' }, promised)).ok).toBe(true)
})

test('the note of an emulator that is gone does not prevent an intent', async () => {
  const notes = await someNotes()
  const site = { emulator: 'gone' }
  const first = await held(aStore(notes).take('apply'))
  await first.write({ type: 'submission', state: 'intent' }, content => ({
    ...content,
    submission: aSubmission({ state: 'intent', site }),
  }))
  await first.release({ type: 'released' })
  expect(await notes.list()).toMatchObject([site])
  expect(await aStore(notes).read()).toEqual({ ok: true, value: undefined })
  expect(await notes.list()).toEqual([])
})

test.each<[Readonly<Record<string, string>>, string | undefined]>([
  [{ HOME: '/' }, '/.local/state/landform'],
  [{ HOME: '/nonexistent' }, undefined],
  [{ HOME: '/', XDG_STATE_HOME: '/var/me' }, '/var/me/landform'],
  [{ LOCALAPPDATA: '/app' }, '/app/landform'],
  [{ HOME: '' }, undefined],
  [{}, undefined],
])('for %j the folder of the notes is %s', (environment, folder) => {
  expect(findStateFolder(environment)).toBe(folder)
})

test('an environment without a home folder gets the one of the user', () => {
  expect(withHome({ LANG: 'C' })).toEqual({ HOME: homedir(), LANG: 'C' })
  expect(withHome({ HOME: '/home/me' })).toEqual({ HOME: '/home/me' })
})

/** Notes in memory: what a run reads, and what it did with them. */
function aNotebook(kept: readonly IntentNote[], added?: boolean) {
  const steps: unknown[] = []
  const notes: IntentNotes = {
    fileOf: site => `/notes/${new URL(site).host}`,
    find: async site => kept.find(one => one.site === site),
    list: async () => kept,
    async add(note) {
      steps.push(['add', note])
      return added
    },
    async remove({ site, nonce }) {
      steps.push(['remove', site, nonce])
    },
  }
  return { notes, steps }
}

const aNote: IntentNote = {
  site: 'https://maps.example.org/arcgis/admin',
  name: 'before',
  manifest: 'git.example.org/sites:site.yaml',
  state: 'memory',
  lineage: 'a-lineage',
  nonce: 'a-request',
  generation: 1,
  recordedAt: '2026-03-04T05:06:07.089Z',
}
const declared = { url, name: 'now', manifest: 'git.example.org/sites:site.yaml' }

function siteNotes(notes: IntentNotes, site: DeclaredSite = declared) {
  const isEmulatorGone = async (_: string, emulator: string) => emulator === 'gone'
  return openSiteNotes({ notes, site, where: 'memory', isEmulatorGone })
}

const { manifest: _manifest, ...byHand } = aNote
const { name: _name, ...nameless } = aNote

test.each<[string, IntentNote, DeclaredSite, boolean]>([
  ['of the same manifest, with another name and address, is', aNote, declared, true],
  ['of another manifest is not', { ...aNote, manifest: 'another' }, declared, false],
  ['of a site with the same name is not', { ...aNote, name: 'now' }, declared, false],
  ['of the same site is not', { ...aNote, site: url }, declared, false],
  ['without a manifest is not, for a site without one', byHand, { url, name: 'now' }, false],
  ['without a name is not', nameless, declared, false],
  ['of an emulator that is gone is not', { ...aNote, emulator: 'gone' }, declared, false],
  ['of an emulator that still runs is', { ...aNote, emulator: 'there' }, declared, true],
  [
    'of another emulator of this machine is not',
    { ...aNote, site: 'http://127.0.0.1:1/arcgis/admin' },
    { ...declared, url: 'http://127.0.0.1:2/arcgis/admin' },
    false,
  ],
])('a note %s the former one of the declared site', async (_, note, site, isFormer) => {
  const { notes } = aNotebook([note])
  const former = { name: 'before', site: note.site, where: '/notes/maps.example.org' }
  expect(await siteNotes(notes, site).findFormer()).toEqual(isFormer ? former : undefined)
})

test('without a manifest no other notes are read', async () => {
  const { notes } = aNotebook([])
  expect(await siteNotes(notes, { url, name: 'now' }).findFormer()).toBeUndefined()
})

test('a note is removed if it is forgotten, and if its emulator is gone', async () => {
  const gone = { ...aNote, site: url, emulator: 'gone' }
  const { notes, steps } = aNotebook([gone])
  expect(await siteNotes(notes).find()).toBeUndefined()
  await siteNotes(notes).forget(aNote)
  expect(steps).toEqual([
    ['remove', url, 'a-request'],
    ['remove', aNote.site, 'a-request'],
  ])
})

/** Takes a site in memory, whose requests are noted in the notebook. */
async function watched(
  notes: IntentNotes,
  {
    site = { url },
    address,
    backend = memoryBackend(),
  }: {
    readonly site?: DeclaredSite
    readonly address?: StateBackend['address']
    readonly backend?: StateBackend
  } = {},
) {
  const taken = await held(stateStore(backend, { url }, ports).take('apply'))
  const options = { notes, site, where: 'memory', address, isEmulatorGone: async () => false }
  return openSiteNotes(options).watch(taken)
}

test.each<[string, DeclaredSite, string | undefined, string | undefined, object]>([
  ['its address', { url }, undefined, undefined, {}],
  ['its name', { url, name: 'now' }, undefined, undefined, { name: 'now' }],
  ['its manifest', { url, manifest: 'm' }, undefined, undefined, { manifest: 'm' }],
  ['the address of the state', { url }, '/mnt/state', undefined, { address: '/mnt/state' }],
  ['the emulator', { url }, undefined, 'there', { emulator: 'there' }],
])('if only %s is known, a note has no more', async (_, site, address, emulator, more) => {
  const { notes, steps } = aNotebook([], true)
  const one = await watched(notes, { site, ...(address !== undefined && { address: async () => address }) })
  await one.write({ type: 'submission', state: 'intent' }, content => ({
    ...content,
    submission: aSubmission({ state: 'intent', ...(emulator !== undefined && { site: { emulator } }) }),
  }))
  const { intendedAt: recordedAt, nonce, generation } = aSubmission()
  const expected = {
    site: url,
    ...more,
    state: 'memory',
    lineage: one.lineage,
    nonce,
    generation,
    recordedAt,
  }
  expect(steps).toStrictEqual([['add', expected]])
})

test('once a request is accepted, its note no longer has the manifest', async () => {
  const notes = await someNotes()
  const one = await watched(notes, { site: declared })
  await one.write({ type: 'submission', state: 'intent' }, promised)
  const before = await notes.find(url)
  expect(before).toMatchObject({ name: 'now', manifest: declared.manifest })
  const accepted = aSubmission({ state: 'acknowledged' })
  const written = await one.write({ type: 'submission', state: 'acknowledged' }, content => ({
    ...content,
    submission: accepted,
  }))
  const { manifest, ...rest } = before as IntentNote
  expect([written, await notes.find(url)]).toStrictEqual([{ ok: true, value: undefined }, rest])
})

test('what is not a request is not noted', async () => {
  const { notes, steps } = aNotebook([], true)
  const one = await watched(notes)
  await one.write({ type: 'renewed' }, promised)
  await one.write({ type: 'submission', state: 'unknown' }, promised)
  for (const state of ['intent', 'acknowledged'] as const)
    expect(
      await one.write({ type: 'submission', state }, ({ submission: _, ...content }) => content),
    ).toEqual({ ok: true, value: undefined })
  expect([await one.release({ type: 'released' }), steps]).toEqual([{ ok: true, value: undefined }, []])
})

test('a move to a place that is called like a state of a request is not noted', async () => {
  const { notes, steps } = aNotebook([], true)
  const one = await watched(notes)
  expect((await one.write({ type: 'moved', state: 'intent' }, promised)).ok).toBe(true)
  expect(steps).toEqual([])
})

test.each<[string, boolean | undefined, string | undefined, object | undefined]>([
  ['was written', true, undefined, undefined],
  ['of an emulator was written', true, 'there', undefined],
  ['could not be written', undefined, undefined, { folder: '/notes' }],
  ['of an emulator could not be written', undefined, 'there', undefined],
])('of a note that %s, a run reports only a loss that matters', async (_, added, emulator, unnoted) => {
  const one = await watched(aNotebook([], added).notes)
  const written = await one.write({ type: 'submission', state: 'intent' }, content => ({
    ...content,
    submission: aSubmission({ state: 'intent', ...(emulator !== undefined && { site: { emulator } }) }),
  }))
  expect([written, one.unnoted]).toEqual([{ ok: true, value: undefined }, unnoted])
})

test('the note of another run is the reason why a run may not send its request', async () => {
  const one = await watched(aNotebook([], false).notes)
  expect(await one.write({ type: 'submission', state: 'intent' }, promised)).toEqual({
    ok: false,
    error: { kind: 'overtaken', where: '/notes/gis.example.org', reason: { kind: 'other-intent' } },
  })
  expect(one.unnoted).toBeUndefined()
})

test('a note stays if the outcome of its request could not be written at the end', async () => {
  const failure = {
    kind: 'unwritable',
    where: 'memory',
    reason: { kind: 'system', message: 'the disk is full' },
  } as const
  for (const [write, removals] of [
    [3, []],
    [4, [['remove', url, 'a-request']]],
  ] as const) {
    const { notes, steps } = aNotebook([], true)
    const one = await watched(notes, { backend: failingFrom(write, failure) })
    await one.write({ type: 'submission', state: 'begun' }, as('begun'))
    const released = await one.release({ type: 'released' })
    expect([released.ok, steps]).toEqual([write === 4, removals])
  }
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type IntentNotes, openIntentNotes } from '../../src/state/intent-notes.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import { findStateFolder, openSiteNotes } from '../../src/state/noted-intents.js'
import type { StateStore, TakeResult } from '../../src/state/ports.js'
import type { StateBackend } from '../../src/state/series.js'
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

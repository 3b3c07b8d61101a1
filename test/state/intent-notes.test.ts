import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type IntentNote, openIntentNotes } from '../../src/state/intent-notes.js'
import { thisMachine } from '../../src/state/machine.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const site = 'https://gis.example.org/arcgis/admin'
const other = 'https://maps.example.org/arcgis/admin'
const note: IntentNote = {
  site,
  name: 'gis',
  manifest: 'git.example.org/sites:site.yaml',
  state: '/var/state',
  address: '/mnt/state',
  lineage: 'a-lineage',
  nonce: 'a-request',
  generation: 3,
  recordedAt: '2026-03-04T05:06:07.089Z',
  emulator: 'an-emulator',
}
const stored = { formatVersion: 1, ...note }

/** Writes a text as the note of the site, and returns what is read from it. */
async function readBack(text: string) {
  const folder = await temporaryFolder()
  const notes = openIntentNotes(folder)
  await writeFile(notes.fileOf(site), text, { mode: 0o600 })
  return [await notes.find(site), ...(await notes.list())]
}

test('a note is read as it was written, with or without what it may lack', async () => {
  const { name: _, manifest, address, emulator, ...least } = note
  for (const one of [note, least]) {
    const notes = openIntentNotes(join(await temporaryFolder(), 'intents'))
    expect(await notes.add(one)).toBe(true)
    expect([await notes.find(site), await notes.list()]).toEqual([one, [one]])
  }
  expect(await readBack(JSON.stringify(stored))).toEqual([note, note])
})

test.each<[string, object]>([
  ['another version', { formatVersion: 2 }],
  ['no version', { formatVersion: undefined }],
  ['an address that is not one', { site: 'gis' }],
  ['no generation', { generation: undefined }],
  ['half a generation', { generation: 1.5 }],
  ['a generation that is a text', { generation: '3' }],
  ...(['site', 'state', 'lineage', 'nonce', 'recordedAt'] as const).flatMap<[string, object]>(key => [
    [`no ${key}`, { [key]: undefined }],
    [`a number as ${key}`, { [key]: 7 }],
  ]),
  ...(['name', 'manifest', 'address', 'emulator'] as const).flatMap<[string, object]>(key => [
    [`a number as ${key}`, { [key]: 7 }],
    [`null as ${key}`, { [key]: null }],
  ]),
])('a note with %s is ignored', async (_, changes) => {
  expect(await readBack(JSON.stringify({ ...stored, ...changes }))).toEqual([undefined])
})

test.each(['', '{', 'null', '7', '[]', '"a note"'])('the text %j is not a note', async text => {
  expect(await readBack(text)).toEqual([undefined])
})

test('a note counts only in the file of its site', async () => {
  const folder = await temporaryFolder()
  const notes = openIntentNotes(folder)
  for (const path of [notes.fileOf(other), `${notes.fileOf(site)}.copy`])
    await writeFile(path, JSON.stringify(stored), { mode: 0o600 })
  expect([await notes.find(other), await notes.find(site), await notes.list()]).toEqual([
    undefined,
    undefined,
    [],
  ])
})

test('the notes in a folder that other users may write to do not count', async () => {
  const folder = await temporaryFolder()
  const notes = openIntentNotes(folder)
  await notes.add(note)
  await chmod(folder, 0o777)
  expect([await notes.find(site), await notes.list()]).toEqual([undefined, []])
  await chmod(folder, 0o700)
  expect([await notes.find(site), await notes.list()]).toEqual([note, [note]])
})

test('a missing folder, and one that cannot be listed, have no notes', async () => {
  const folder = await temporaryFolder()
  const absent = openIntentNotes(join(folder, 'absent'))
  expect([await absent.find(site), await absent.list()]).toEqual([undefined, []])
  const readdirFails = async () => {
    throw new Error('EIO')
  }
  const machine = { ...thisMachine, disk: { ...thisMachine.disk, readdir: readdirFails } }
  const notes = openIntentNotes(folder, machine)
  await notes.add(note)
  expect([await notes.find(site), await notes.list()]).toEqual([note, []])
})

test('without a folder nothing is noted', async () => {
  const notes = openIntentNotes(undefined)
  await notes.remove(note)
  expect([
    notes.fileOf(site),
    await notes.add(note),
    await notes.find(site),
    await notes.list(),
  ]).toStrictEqual(['', undefined, undefined, []])
})

test('of two notes of a site the first one stays, until it is removed itself', async () => {
  const folder = await temporaryFolder()
  const notes = openIntentNotes(folder)
  const later = { ...note, nonce: 'another-request' }
  expect([await notes.add(note), await notes.add(later)]).toEqual([true, false])
  await notes.remove(later)
  expect(await notes.find(site)).toEqual(note)
  await notes.remove(note)
  expect([await notes.find(site), await readdir(folder)]).toEqual([undefined, []])
  await notes.remove(note)
  expect(await notes.add(later)).toBe(true)
})

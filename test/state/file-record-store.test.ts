import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { ApplyRecord } from '../../src/plan/record.js'
import { fileRecordStore } from '../../src/state/file-record-store.js'
import { memoryRecordStore } from '../../src/state/memory-record-store.js'
import { aPolicy } from '../support/a-manifest.js'
import { schemaComplaints } from '../support/schema-complaints.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const site = 'https://gis.example.org/arcgis/admin'
const empty: ApplyRecord = { formatVersion: 1, site, serial: 0 }
const full: ApplyRecord = {
  formatVersion: 1,
  site,
  serial: 7,
  organization: { appliedAt: '2026-03-04T05:06:07.089Z', manifest: `sha256:${'a'.repeat(64)}` },
  policy: { appliedAt: '2026-03-04T05:06:08.000Z', value: aPolicy() },
}

/** A store in which `full` is kept, and the file that holds it. */
async function kept() {
  const folder = join(await temporaryFolder(), 'state')
  const store = fileRecordStore(folder, site)
  expect(await store.write(full)).toEqual({ ok: true, value: undefined })
  const [name = ''] = await readdir(folder)
  return { folder, store, path: join(folder, name) }
}

/** The stored document with some fields replaced and, unless told, the right checksum. */
function stored(changes: object, checksum?: string): string {
  const { checksum: _, ...record } = { ...full, ...changes, checksum }
  const sorted = JSON.stringify(record, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort())
      : value,
  )
  const right = `sha256:${createHash('sha256').update(sorted).digest('hex')}`
  return JSON.stringify({ ...record, checksum: checksum ?? right })
}

describe('what is kept', () => {
  test('is an empty record where nothing was written, and looking leaves nothing behind', async () => {
    const folder = join(await temporaryFolder(), 'state')
    expect(await fileRecordStore(folder, site).read()).toEqual({ ok: true, value: empty })
    await expect(stat(folder)).rejects.toThrow('ENOENT')
  })

  test('comes back as it was written, also to another store', async () => {
    const { folder, store } = await kept()
    expect(await store.read()).toEqual({ ok: true, value: full })
    expect(await fileRecordStore(folder, site).read()).toEqual({ ok: true, value: full })
  })

  test('is replaced by what is written next', async () => {
    const { folder, store } = await kept()
    const { policy: _, ...rest } = full
    const next = { ...rest, serial: 8 }
    await store.write(next)
    expect(await store.read()).toEqual({ ok: true, value: next })
    expect((await readdir(folder)).length).toBe(1)
  })

  test.each<[string, ApplyRecord]>([
    ['an empty record', empty],
    ['a full record', full],
  ])('satisfies the published schema: %s', async (_what, record) => {
    const { store, path } = await kept()
    await store.write(record)
    const document: unknown = JSON.parse(await readFile(path, 'utf8'))
    expect(schemaComplaints('record', document)).toEqual([])
    expect(document).toMatchObject(record)
  })

  test('is for its owner only, and so is its folder', async () => {
    const { folder, path } = await kept()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  test('is for its owner only again once it is written again', async () => {
    const { store, path } = await kept()
    await chmod(path, 0o644)
    await store.write(full)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('is accepted whatever the order of its keys', async () => {
    const { store, path } = await kept()
    const document = JSON.parse(await readFile(path, 'utf8')) as object
    await writeFile(path, JSON.stringify(Object.fromEntries(Object.entries(document).reverse())))
    expect(await store.read()).toEqual({ ok: true, value: full })
  })
})

describe('what cannot be believed is a failure, and never an empty record', () => {
  test.each<[string, string, string]>([
    ['nothing at all', '', 'damaged'],
    ['half a file', stored({}).slice(0, 100), 'damaged'],
    ['something before it', `x${stored({})}`, 'damaged'],
    ['NULs', '\0'.repeat(100), 'damaged'],
    ['null', 'null', 'damaged'],
    ['a list', '[]', 'damaged'],
    ['an empty object', '{}', 'damaged'],
    ['a wrong checksum', stored({}, `sha256:${'0'.repeat(64)}`), 'damaged'],
    ['no checksum', JSON.stringify(full), 'damaged'],
    ['another serial than the checksum says', stored({}).replace('"serial":7', '"serial":8'), 'damaged'],
    ['a negative serial', stored({ serial: -1 }), 'damaged'],
    ['an unknown field', stored({ more: 1 }), 'damaged'],
    ['an older format', stored({ formatVersion: 0 }), 'damaged'],
    ['a format that is no number', stored({ formatVersion: '2' }), 'damaged'],
    ['a newer format', stored({ formatVersion: 2 }), 'newer'],
    ['a much newer format', '{"formatVersion":99,"all":"different"}', 'newer'],
    ['another site', stored({ site: 'https://other.example.org/arcgis/admin' }), 'foreign'],
  ])('%s', async (_what, text, kind) => {
    const { store, path } = await kept()
    await writeFile(path, text)
    expect(await store.read()).toMatchObject({ ok: false, failure: { kind, where: path } })
  })

  test('the helper of these tests makes a document that is believed', async () => {
    const { store, path } = await kept()
    await writeFile(path, stored({}))
    expect(await store.read()).toEqual({ ok: true, value: full })
  })

  test('a link is not followed, even to a right record', async () => {
    const { folder, store, path } = await kept()
    await rename(path, join(folder, 'real.json'))
    await symlink('real.json', path)
    expect(await store.read()).toMatchObject({ ok: false, failure: { kind: 'unreadable', where: path } })
  })

  test('a link to nothing is not taken for no record', async () => {
    const { folder, store, path } = await kept()
    await rename(path, join(folder, 'gone.json'))
    await symlink('nothing', path)
    expect(await store.read()).toMatchObject({ ok: false, failure: { kind: 'unreadable' } })
  })

  test('a folder in place of the record cannot be read', async () => {
    const { folder, store, path } = await kept()
    await rename(path, join(folder, 'real.json'))
    await mkdir(path)
    expect(await store.read()).toMatchObject({ ok: false, failure: { kind: 'unreadable', where: path } })
  })

  // A file in its place and not a mode, which does not stop everyone who may run these tests.
  test('a state folder that is none cannot be read or written', async () => {
    const folder = join(await temporaryFolder(), 'state')
    await writeFile(folder, 'I am a file')
    const store = fileRecordStore(folder, site)
    expect(await store.read()).toMatchObject({ ok: false, failure: { kind: 'unreadable' } })
    expect(await store.write(full)).toMatchObject({ ok: false, failure: { kind: 'unwritable' } })
    expect(await readFile(folder, 'utf8')).toBe('I am a file')
  })
})

describe('a write', () => {
  test('that succeeds leaves the record and nothing else', async () => {
    const { folder, store } = await kept()
    for (let serial = 8; serial < 12; serial += 1) await store.write({ ...full, serial })
    expect((await readdir(folder)).length).toBe(1)
  })

  test('that fails leaves what was there and nothing else', async () => {
    const { folder, store, path } = await kept()
    await rename(path, join(folder, 'real.json'))
    await mkdir(path)
    await writeFile(join(path, 'in-the-way'), '')
    expect(await store.write(full)).toMatchObject({ ok: false, failure: { kind: 'unwritable', where: path } })
    expect((await readdir(folder)).sort()).toEqual([path.slice(folder.length + 1), 'real.json'].sort())
    expect(await readdir(path)).toEqual(['in-the-way'])
  })

  test('replaces a link and leaves alone what it points to', async () => {
    const { folder, store, path } = await kept()
    await rename(path, join(folder, 'victim'))
    const before = await readFile(join(folder, 'victim'), 'utf8')
    await symlink('victim', path)
    expect((await store.write({ ...full, serial: 8 })).ok).toBe(true)
    expect(await readFile(join(folder, 'victim'), 'utf8')).toBe(before)
    expect(await store.read()).toMatchObject({ ok: true, value: { serial: 8 } })
  })

  test('makes the folders that it needs', async () => {
    const folder = join(await temporaryFolder(), 'a', 'b', 'c')
    expect((await fileRecordStore(folder, site).write(full)).ok).toBe(true)
    expect((await readdir(folder)).length).toBe(1)
  })
})

describe('two sites', () => {
  test.each([
    ['https://gis.example.org/arcgis/admin', 'https://gis.example.org/other/admin'],
    ['https://gis.example.org/arcgis/admin', 'https://gis.example.org:7443/arcgis/admin'],
    ['https://gis.example.org/arcgis/admin', 'http://gis.example.org/arcgis/admin'],
    ['https://gis.example.org/a/b', 'https://gis.example.org/a_b'],
    ['https://gis.example.org/A', 'https://gis.example.org/a'],
    ['http://127.0.0.1:1/x', 'http://127.0.0.1_1/x'],
    ['http://[::1]:80/x', 'http://[::1]:81/x'],
  ])('%s and %s never share a file', async (one, other) => {
    const folder = await temporaryFolder()
    const first = { ...empty, site: one, serial: 1 }
    const second = { ...empty, site: other, serial: 2 }
    await fileRecordStore(folder, one).write(first)
    await fileRecordStore(folder, other).write(second)
    const names = await readdir(folder)
    expect(new Set(names.map(name => name.toLowerCase())).size).toBe(2)
    expect(names.every(name => /^[\w.-]+$/.test(name))).toBe(true)
    expect(await fileRecordStore(folder, one).read()).toEqual({ ok: true, value: first })
    expect(await fileRecordStore(folder, other).read()).toEqual({ ok: true, value: second })
  })
})

test('a store in memory begins empty and keeps what is written', async () => {
  const store = memoryRecordStore(site)
  expect(await store.read()).toEqual({ ok: true, value: empty })
  expect(await store.write(full)).toEqual({ ok: true, value: undefined })
  expect(await store.read()).toEqual({ ok: true, value: full })
  expect(await memoryRecordStore(site).read()).toEqual({ ok: true, value: empty })
})

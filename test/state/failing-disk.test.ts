import { constants } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileBackend } from '../../src/state/file-backend.js'
import { type Disk, type DiskFile, type Machine, machineTime, thisMachine } from '../../src/state/machine.js'
import {
  collectLeftovers,
  hasPrivateFolder,
  makeFolder,
  readPrivate,
  temporaryName,
} from '../../src/state/private-file.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const site = 'https://gis.example.org/arcgis/admin'
const { disk } = thisMachine

const errorOf = (code: string, syscall = 'read') =>
  Object.assign(new Error(`${code}: no, ${syscall}`), { code, syscall })

async function refuse(code: string, syscall?: string): Promise<never> {
  throw errorOf(code, syscall)
}

const machineWith = (changes: Partial<Disk>): Machine => ({ ...thisMachine, disk: { ...disk, ...changes } })

/** A disk whose opened files behave differently. */
function openingBy(changes: (path: string, opened: DiskFile) => Partial<DiskFile>): Partial<Disk> {
  return {
    async open(path, flags, mode) {
      const opened = await disk.open(path, flags, mode)
      return {
        stat: () => opened.stat(),
        readFile: encoding => opened.readFile(encoding),
        writeFile: text => opened.writeFile(text),
        sync: () => opened.sync(),
        close: () => opened.close(),
        ...changes(path, opened),
      }
    },
  }
}

async function seriesOn(changes: Partial<Disk>) {
  const home = join(await temporaryFolder(), 'state')
  await fileBackend(home).series(site).add({ serial: 1, text: 'v1' })
  return fileBackend(home, machineWith(changes)).series(site)
}

describe('a version is not created', () => {
  test.each<[string, Partial<Disk>]>([
    [
      'opened',
      { open: (path, flags, mode) => (flags === 'wx' ? refuse('EIO') : disk.open(path, flags, mode)) },
    ],
    ['written', openingBy(() => ({ writeFile: () => refuse('EIO') }))],
    ['flushed', openingBy(path => (path.endsWith('.tmp') ? { sync: () => refuse('EIO') } : {}))],
    [
      'closed',
      openingBy((path, opened) =>
        // The descriptor is closed nevertheless.
        path.endsWith('.tmp') ? { close: () => opened.close().then(() => refuse('EIO')) } : {},
      ),
    ],
    ['linked', { link: () => refuse('EIO') }],
  ])('if its file cannot be %s', async (_, changes) => {
    const series = await seriesOn(changes)
    const where = join(series.where, '000002.json')
    const reason = { kind: 'system', message: 'EIO: no, read' }
    expect(await series.add({ serial: 2, text: 'v2' })).toEqual({
      ok: false,
      error: { kind: 'unwritable', where, reason },
    })
    expect((await readdir(series.where)).filter(name => name.endsWith('.json'))).toEqual(['000001.json'])
  })

  test('if its folder cannot be flushed, although the file may exist', async () => {
    const series = await seriesOn(
      openingBy(path => (/[0-9a-f]$/.test(path) ? { sync: () => refuse('EIO') } : {})),
    )
    expect(await series.add({ serial: 2, text: 'v2' })).toMatchObject({
      ok: false,
      error: { kind: 'unwritable' },
    })
  })

  test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])(
    'if the file system has no links (%s), and the message has the next step',
    async code => {
      const series = await seriesOn({ link: () => refuse(code, 'link') })
      expect(await series.add({ serial: 2, text: '' })).toMatchObject({
        error: {
          reason: { kind: 'no-hard-links', message: `${code}: no, link` },
        },
      })
      const other = await seriesOn({ link: () => refuse(code, 'open') })
      expect(await other.add({ serial: 2, text: '' })).toMatchObject({
        error: { reason: { kind: 'system', message: `${code}: no, open` } },
      })
    },
  )

  test('if the previous version is missing', async () => {
    const series = await seriesOn({})
    expect(await series.add({ serial: 3, text: '' })).toEqual({
      ok: false,
      error: { kind: 'damaged', where: join(series.where, '000002.json'), reason: { kind: 'missing' } },
    })
    expect(await series.add({ serial: 1, text: '' })).toEqual({ ok: true, value: false })
  })
})

test('a version is created only once the previous one is durable, whichever run created that', async () => {
  const steps: string[] = []
  const series = await seriesOn({
    ...openingBy((path, opened) => ({
      sync() {
        steps.push(path.endsWith('.tmp') ? 'flush the version' : 'flush the folder')
        return opened.sync()
      },
    })),
    link(file, path) {
      steps.push('link')
      return disk.link(file, path)
    },
  })
  const made = { ok: true, value: true }
  expect(await series.add({ serial: 2, text: 'v2' })).toEqual(made)
  expect(steps.splice(0)).toEqual(['flush the folder', 'flush the version', 'link', 'flush the folder'])
  expect(await series.add({ serial: 3, text: 'v3' })).toEqual(made)
  expect(steps).toEqual(['flush the version', 'link', 'flush the folder'])
})

test('a version is created even if temporary files of others cannot be listed or removed', async () => {
  let lists = 0
  const series = await seriesOn({
    rm: () => refuse('EIO'),
    readdir: path => {
      lists += 1
      return lists === 1 ? disk.readdir(path) : refuse('EIO')
    },
  })
  expect(await series.add({ serial: 2, text: 'v2' })).toEqual({ ok: true, value: true })
  expect(await readFile(join(series.where, '000002.json'), 'utf8')).toBe('v2')
})

test('a temporary file of a dead process that cannot be removed is not a failure', async () => {
  const folder = await temporaryFolder()
  let asked = 0
  const machine: Machine = {
    disk: { ...disk, rm: () => refuse('EIO') },
    self: async () => ({ host: 'a', pid: 7 }),
    async liveness(holder) {
      asked += 1
      expect(holder).toEqual({ host: 'a', pid: 12 })
      return 'dead'
    },
  }
  const left = (await temporaryName(machine)).replace('-7-0-', '-12-0-')
  expect(left).toMatch(/^\.[0-9a-f]{8}-12-0-[0-9a-f]{12}\.tmp$/)
  for (const name of [left, `x${left}`, `${left}x`, 'a file of others'])
    await writeFile(join(folder, name), '')
  await collectLeftovers(machine, folder)
  expect(asked).toBe(1)
  const gone: string[] = []
  await collectLeftovers({ ...machine, disk: { ...disk, rm: async path => void gone.push(path) } }, folder)
  expect(gone).toEqual([join(folder, left)])
})

test('a folder that cannot be listed is a failure to read', async () => {
  const series = await seriesOn({ readdir: () => refuse('EIO') })
  const failure = {
    ok: false,
    error: { kind: 'unreadable', where: series.where, reason: { kind: 'system', message: 'EIO: no, read' } },
  }
  expect(await series.newest()).toEqual(failure)
  expect(await series.all()).toEqual(failure)
  expect(await series.add({ serial: 2, text: '' })).toEqual(failure)
})

test('a version that is listed late does not count as missing', async () => {
  const series = await seriesOn({
    readdir: async path => [...(await disk.readdir(path)), '000002.json'].slice(1),
  })
  await fileBackend(dirname(series.where)).series(site).add({ serial: 2, text: 'v2' })
  expect(await series.newest()).toEqual({ ok: true, value: { serial: 2, text: 'v2' } })
})

describe('a folder of another user', () => {
  const foreign = async () => ({
    isFile: () => true,
    isDirectory: () => true,
    isSymbolicLink: () => false,
    uid: 4711,
    mode: 0o600,
    ino: 1,
    dev: 1,
  })
  const reason = { kind: 'other-owner', uid: 4711 }

  test('is not read', async () => {
    const path = join(await temporaryFolder(), 'file')
    await writeFile(path, 'x', { mode: 0o600 })
    const theirs = { ...disk, ...openingBy(() => ({ stat: foreign })) }
    expect(await readPrivate(theirs, path)).toEqual({
      ok: false,
      error: { kind: 'unreadable', where: path, reason },
    })
    expect(await readPrivate(disk, path)).toEqual({ ok: true, value: 'x' })
  })

  test('is not accepted as the state folder', async () => {
    expect(await hasPrivateFolder({ ...disk, stat: foreign }, '/there', 'stat')).toEqual({
      ok: false,
      error: { kind: 'unreadable', where: '/there', reason },
    })
  })
})

test('a folder that cannot be examined is a failure, but a missing one is not', async () => {
  const folder = join(await temporaryFolder(), 'there')
  expect(await hasPrivateFolder({ ...disk, stat: () => refuse('EACCES') }, folder, 'stat')).toMatchObject({
    ok: false,
    error: { reason: { kind: 'system', message: 'EACCES: no, read' } },
  })
  expect(await hasPrivateFolder(disk, folder, 'stat')).toEqual({ ok: true, value: false })
})

describe('a new folder is durable once all folders above it are flushed', () => {
  /** Creates a folder, and returns which folders were flushed; opening a folder fails with the code that `may` returns. */
  async function flushed(
    deep: string,
    may: (path: string) => string | undefined,
    changes: Partial<Disk> = {},
  ) {
    const seen: string[] = []
    const open: Disk['open'] = async (path, flags) => {
      const code = may(path)
      if (code !== undefined) return refuse(code, 'open')
      expect(flags).toBe(constants.O_RDONLY)
      seen.push(path)
      return disk.open(path, flags)
    }
    await makeFolder({ ...disk, open, ...changes }, deep)
    return seen
  }

  test('up to the root of its disk', async () => {
    const top = await temporaryFolder()
    const deep = join(top, 'a', 'b')
    const seen = await flushed(deep, () => undefined)
    expect(seen.slice(0, 3)).toEqual([join(top, 'a'), top, dirname(top)])
    expect(seen).not.toContain(deep)
  })

  test('even if an existing one is not readable', async () => {
    const top = await temporaryFolder()
    const may = (path: string) => (path === dirname(top) ? 'EACCES' : undefined)
    expect(await flushed(join(top, 'a', 'b'), may)).toContain(join(top, 'a'))
    await expect(flushed(join(top, 'c', 'd'), path => (path === top ? 'EACCES' : undefined))).rejects.toThrow(
      'EACCES',
    )
    await expect(
      flushed(join(top, 'e'), path => (path === dirname(top) ? 'EIO' : undefined)),
    ).rejects.toThrow('EIO')
    const others = (path: string) => (path === join(top, 'a') ? undefined : 'EACCES')
    expect(await flushed(join(top, 'a', 'b'), others)).toEqual([join(top, 'a')])
  })

  test('and no further than the root of its disk', async () => {
    const top = await temporaryFolder()
    const stat: Disk['stat'] = async path => {
      const found = await disk.stat(path)
      return path.startsWith(top)
        ? found
        : { ...found, isFile: () => false, isDirectory: () => true, isSymbolicLink: () => false, dev: -1 }
    }
    expect(await flushed(join(top, 'a', 'b'), () => undefined, { stat })).toEqual([join(top, 'a'), top])
  })
})

test('the clock of this machine only increases, and identifies the boot of the machine', async () => {
  const one = await machineTime()
  const other = await machineTime()
  if (one === undefined || other === undefined) return expect(process.platform).not.toBe('linux')
  expect(one.of).toMatch(/^[0-9a-f]{16}$/)
  expect([other.of, other.ms >= one.ms]).toEqual([one.of, true])
  expect(Math.abs(one.ms - Number(process.hrtime.bigint() / 1_000_000n))).toBeLessThan(60_000)
})

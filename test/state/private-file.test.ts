import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Holder } from '../../src/plan/submission.js'
import { type Disk, type FileFacts, type Machine, thisMachine } from '../../src/state/machine.js'
import {
  collectLeftovers,
  createFile,
  flushFolder,
  hasPrivateFolder,
  isThere,
  linkOnce,
  readPrivate,
  temporaryName,
} from '../../src/state/private-file.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const { disk } = thisMachine

/** A disk that counts the files that are open. */
function counting() {
  const open = { count: 0 }
  const counted: Disk = {
    ...disk,
    async open(path, flags, mode) {
      const file = await disk.open(path, flags, mode)
      open.count += 1
      return {
        stat: () => file.stat(),
        readFile: encoding => file.readFile(encoding),
        writeFile: text => file.writeFile(text),
        sync: () => file.sync(),
        async close() {
          open.count -= 1
          await file.close()
        },
      }
    },
  }
  return { open, counted }
}

test('every file and folder that was opened is closed again', async () => {
  const { open, counted } = counting()
  const folder = await temporaryFolder()
  const path = join(folder, 'file')
  expect(await createFile(counted, path, { text: 'x', temporary: join(folder, '.tmp') })).toBe(true)
  expect(open.count).toBe(0)
  expect(await readPrivate(counted, path)).toEqual({ ok: true, value: 'x' })
  expect(open.count).toBe(0)
  await chmod(path, 0o644)
  expect(await readPrivate(counted, path)).toMatchObject({ ok: false })
  expect(open.count).toBe(0)
  await flushFolder(counted, folder)
  expect(open.count).toBe(0)
  expect(await readdir(folder)).toEqual(['file'])
})

test('a name is there for a file and for a dangling link only', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'file'), '')
  await symlink('nothing', join(folder, 'link'))
  const found = ['file', 'link', 'nothing'].map(name => isThere(disk, join(folder, name)))
  expect(await Promise.all(found)).toEqual([true, true, false])
})

describe('a read-only folder', () => {
  /** A read-only folder, and a link to it. */
  async function aFolder() {
    const top = await temporaryFolder()
    const [folder, link] = [join(top, 'folder'), join(top, 'link')]
    await mkdir(folder)
    await chmod(folder, 0o500)
    await symlink('folder', link)
    return { folder, link }
  }

  test('is accepted itself, but no link to it', async () => {
    const { folder, link } = await aFolder()
    expect(await hasPrivateFolder(disk, folder, 'stat')).toEqual({ ok: true, value: true })
    const reason = { kind: 'link-to-read-only' }
    expect(await hasPrivateFolder(disk, link, 'stat')).toEqual({
      ok: false,
      error: { kind: 'unreadable', where: link, reason },
    })
  })

  test('is accepted through a link on a system without users', async () => {
    const { link } = await aFolder()
    await withoutUsers(async () => {
      expect(await hasPrivateFolder(disk, link, 'stat')).toEqual({ ok: true, value: true })
    })
  })
})

test('on a system without users, a file is read whatever its owner and mode', async () => {
  const path = join(await temporaryFolder(), 'file')
  await writeFile(path, 'x')
  await chmod(path, 0o666)
  await withoutUsers(async () => {
    expect(await readPrivate(disk, path)).toEqual({ ok: true, value: 'x' })
  })
})

/** Runs steps as on Windows, where a process has no user. */
async function withoutUsers(steps: () => Promise<void>): Promise<void> {
  const known = Object.getOwnPropertyDescriptor(process, 'getuid')
  Object.defineProperty(process, 'getuid', { value: undefined, configurable: true })
  try {
    await steps()
  } finally {
    if (known !== undefined) Object.defineProperty(process, 'getuid', known)
  }
}

test.each<[string, Partial<FileFacts>, boolean]>([
  ['the same file', {}, true],
  ['another file', { ino: 2 }, false],
  ['a file with the same number on another disk', { dev: 2 }, false],
])('a link that exists counts as created only if it is the same file: %s', async (_, change, is) => {
  const facts = { ...(await stat('/')), isFile: () => true, isDirectory: () => false, ino: 1, dev: 1 }
  const isSymbolicLink = () => false
  const linked: Disk = {
    ...disk,
    async link() {
      throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' })
    },
    lstat: async path => ({ ...facts, isSymbolicLink, ...(path === 'name' ? change : {}) }),
  }
  expect(await linkOnce(linked, 'mine', 'name')).toBe(is)
})

describe('the name of a temporary file', () => {
  const self: Holder = { host: 'a', pid: 7, startedAt: '99', boot: 'b', namespace: 'n', machine: 'm' }
  const nameOf = (changes: Partial<Holder>) =>
    temporaryName({ ...thisMachine, self: async () => ({ ...self, ...changes }) })
  const placeOf = async (changes: Partial<Holder>) => (await nameOf(changes)).split('-')[0]

  test.each<Partial<Holder>>([{ host: 'x' }, { boot: 'x' }, { namespace: 'x' }, { machine: 'x' }])(
    'differs for each place where process numbers are counted: %j',
    async changes => {
      expect(await placeOf(changes)).not.toBe(await placeOf({}))
    },
  )

  test('has the same beginning for two processes of one place', async () => {
    expect(await placeOf({ pid: 8, startedAt: '100' })).toBe(await placeOf({}))
  })

  test('names the writer: a process with the same number that started at another time is not it', async () => {
    const folder = await temporaryFolder()
    const [gone, mine] = [await nameOf({ pid: 12, startedAt: '55' }), await nameOf({})]
    for (const name of [gone, mine]) await writeFile(join(folder, name), '')
    const asked: Holder[] = []
    const machine: Machine = {
      disk,
      self: async () => self,
      async liveness(holder) {
        asked.push(holder)
        return holder.startedAt === '55' ? 'dead' : 'alive'
      },
    }
    await collectLeftovers(machine, folder)
    expect(asked).toContainEqual({ ...self, pid: 12, startedAt: '55' })
    expect(asked).toContainEqual(self)
    expect(await readdir(folder)).toEqual([mine])
  })
})

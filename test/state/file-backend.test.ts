import {
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { fileBackend } from '../../src/state/file-backend.js'
import { thisMachine } from '../../src/state/machine.js'
import {
  collectLeftovers,
  createFile,
  hasPrivateFolder,
  linkOnce,
  temporaryName,
} from '../../src/state/private-file.js'
import { readingPipe } from '../support/pipe-without-writer.js'
import { deadPid } from '../support/processes.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

afterEach(removeTemporaryFolders)

const { disk } = thisMachine

const site = 'https://gis.example.org/arcgis/admin'

/** A series with three versions, and its folder. */
async function kept() {
  const home = join(await temporaryFolder(), 'state')
  const backend = fileBackend(home)
  const series = backend.series(site)
  for (const serial of [1, 2, 3]) expect((await series.add({ serial, text: `v${serial}` })).ok).toBe(true)
  return { home, backend, series, folder: series.where, path: join(series.where, '000003.json') }
}

describe('a version', () => {
  test('is a file with its number as the name, for its owner only, and so are its folders', async () => {
    const { home, folder } = await kept()
    expect((await readdir(folder)).sort()).toEqual(['000001.json', '000002.json', '000003.json'])
    expect(await readFile(join(folder, '000002.json'), 'utf8')).toBe('v2')
    for (const [path, mode] of [
      [home, 0o700],
      [folder, 0o700],
      [join(folder, '000001.json'), 0o600],
    ] as const)
      expect((await stat(path)).mode & 0o777).toBe(mode)
  })

  test('that loses the race leaves nothing behind', async () => {
    const { folder, path } = await kept()
    expect(await createFile(disk, path, { text: 'another', temporary: join(folder, '.x.tmp') })).toBe(false)
    expect(await readFile(path, 'utf8')).toBe('v3')
    expect(await readdir(folder)).toHaveLength(3)
  })

  test('counts as written by this run if its link was created and the response was lost', async () => {
    const folder = await temporaryFolder()
    const [mine, other, name] = ['mine', 'other', 'name'].map(one => join(folder, one)) as [
      string,
      string,
      string,
    ]
    await writeFile(mine, '')
    await writeFile(other, '')
    await link(mine, name)
    expect(await linkOnce(disk, mine, name)).toBe(true)
    expect(await linkOnce(disk, other, name)).toBe(false)
  })

  test('that is only read leaves nothing behind', async () => {
    const home = join(await temporaryFolder(), 'state')
    await fileBackend(home).series(site).newest()
    await expect(stat(home)).rejects.toThrow('ENOENT')
  })
})

describe('untrusted files and folders are a failure, and never an empty series', () => {
  const unreadable: readonly (readonly [string, object, (kept: Kept) => Promise<unknown>])[] = [
    ...[0o640, 0o620, 0o610, 0o604, 0o602, 0o601].map(
      mode =>
        [
          `a file of mode ${mode.toString(8)}`,
          { kind: 'open-to-others' },
          ({ path }: Kept) => chmod(path, mode),
        ] as const,
    ),
    [
      'a link, even to a valid file',
      { kind: 'system', message: expect.stringMatching(/ELOOP/) },
      async ({ path }) => moved(path, () => symlink('moved', path)),
    ],
    [
      'a dangling link',
      { kind: 'system', message: expect.stringMatching(/ELOOP/) },
      async ({ path }) => moved(path, () => symlink('nothing', path)),
    ],
    [
      'a folder instead of a version',
      { kind: 'not-a-file' },
      async ({ path }) => moved(path, () => mkdir(path)),
    ],
    [
      'a site folder that others may write to',
      { kind: 'open-to-others' },
      ({ folder }) => chmod(folder, 0o720),
    ],
    [
      'a link instead of the site folder',
      { kind: 'not-a-folder' },
      async ({ folder }) => moved(folder, () => symlink('moved', folder)),
    ],
    [
      'a dangling link instead of the site folder',
      { kind: 'not-a-folder' },
      async ({ folder }) => moved(folder, () => symlink('x', folder)),
    ],
    [
      'a file instead of the site folder',
      { kind: 'not-a-folder' },
      async ({ folder }) => moved(folder, () => writeFile(folder, '')),
    ],
    ['a state folder that others may write to', { kind: 'open-to-others' }, ({ home }) => chmod(home, 0o777)],
    [
      'a file instead of the state folder',
      { kind: 'not-a-folder' },
      async ({ home }) => moved(home, () => writeFile(home, '')),
    ],
    [
      'a dangling link instead of the state folder',
      { kind: 'dangling-link' },
      async ({ home }) => moved(home, () => symlink('x', home)),
    ],
  ]

  test.each(unreadable)('%s', async (_what, reason, spoil) => {
    const all = await kept()
    await spoil(all)
    const failure = { kind: 'unreadable', reason }
    expect(await all.series.newest()).toMatchObject({ ok: false, error: failure })
    expect(await all.series.all()).toMatchObject({ ok: false, error: failure })
  })

  test.each(['/proc/self', '/proc/self/fd', '/proc'])(
    'the state folder as a link to %s, without hanging',
    async system => {
      if (process.platform !== 'linux') return
      const home = join(await temporaryFolder(), 'state')
      await symlink(system, home)
      const series = fileBackend(home).series(site)
      const failure = { kind: 'unreadable' }
      expect(await series.newest()).toMatchObject({ ok: false, error: failure })
      expect(await series.add({ serial: 1, text: '' })).toMatchObject({ ok: false, error: failure })
    },
  )

  test('a state folder in which no folder can be created, without hanging', async () => {
    if (process.platform !== 'linux') return
    const series = fileBackend('/proc/self').series(site)
    expect(await series.add({ serial: 1, text: '' })).toMatchObject({ ok: false })
  })

  test('a pipe instead of a version, without waiting for a writer', async () => {
    const all = await kept()
    await rm(all.path)
    const failure = { kind: 'unreadable', reason: { kind: 'not-a-file' } }
    const reply = await readingPipe(all.path, () => all.series.newest())
    expect(reply).toMatchObject({ ok: false, error: failure })
  })

  test('the state folder itself may be a link', async () => {
    const { home, series } = await kept()
    await moved(home, () => symlink('moved', home))
    expect(await series.newest()).toEqual({ ok: true, value: { serial: 3, text: 'v3' } })
  })

  test.each(['000001.json', '000002.json'])('a series without %s', async name => {
    const { series, folder } = await kept()
    await rm(join(folder, name))
    const failure = { kind: 'damaged', where: join(folder, name) }
    expect(await series.newest()).toMatchObject({ ok: false, error: failure })
    expect(await series.all()).toMatchObject({ ok: false, error: failure })
    expect(await series.add({ serial: 4, text: '' })).toMatchObject({ ok: false, error: failure })
  })

  test('files with other names are not versions', async () => {
    const { series, folder, home } = await kept()
    for (const name of ['4.json', '000004.json~', '000004.txt', '0000004.json', '000000.json', '.DS_Store'])
      await writeFile(join(folder, name), '')
    await writeFile(join(home, 'notes.txt'), '')
    expect(await series.newest()).toEqual({ ok: true, value: { serial: 3, text: 'v3' } })
  })

  test('an empty file is an empty version', async () => {
    const { series, path } = await kept()
    await truncate(path)
    expect(await series.newest()).toEqual({ ok: true, value: { serial: 3, text: '' } })
  })
})

describe('a version that cannot be written', () => {
  test('is a failure that names the place', async () => {
    const home = join(await temporaryFolder(), 'state')
    await writeFile(home, 'I am a file')
    const below = fileBackend(join(home, 'deeper')).series(site)
    expect(await below.add({ serial: 1, text: '' })).toMatchObject({ ok: false })
    expect(await readFile(home, 'utf8')).toBe('I am a file')
  })
})

describe('temporary files of a process that died while it wrote', () => {
  test('are removed with the next version, and nothing else is', async () => {
    const { folder, series } = await kept()
    const mine = await temporaryName(thisMachine)
    const dead = mine.replace(/-\d+-/, `-${deadPid}-`)
    const elsewhere = dead.replace(/^\.[0-9a-f]{8}/, '.00000000')
    const foreign = '.something.tmp'
    for (const name of [mine, dead, elsewhere, foreign]) await writeFile(join(folder, name), '')
    await series.add({ serial: 4, text: 'v4' })
    const hidden = (await readdir(folder)).filter(name => name.startsWith('.')).sort()
    expect(hidden).toEqual([mine, elsewhere, foreign].sort())
    await collectLeftovers(thisMachine, folder)
    expect(await readdir(folder)).toHaveLength(7)
  })
})

type Kept = Awaited<ReturnType<typeof kept>>

async function moved(path: string, put: () => Promise<unknown>): Promise<void> {
  await rename(path, join(path, '..', 'moved'))
  await put()
}

test('a folder that another run creates during the lookup does not count as a dangling link', async () => {
  const folder = join(await temporaryFolder(), 'state')
  let looks = 0
  const look = async (path: string) => {
    looks += 1
    if (looks > 1) return lstat(path)
    const missing = await lstat(path).catch(error => error)
    await mkdir(path, { mode: 0o700 })
    throw missing
  }
  expect(await hasPrivateFolder({ ...disk, lstat: look }, folder, 'lstat')).toEqual({ ok: true, value: true })
})

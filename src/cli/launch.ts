/**
 * The program that users start. It answers `--version` and `--help` by itself, and runs everything else from a bundle
 * with the code that an earlier run has compiled already, where that can be trusted. It is bundled to CommonJS, which
 * starts faster than an ES module; nothing imports it.
 */
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { Script } from 'node:vm'
import { asksForHelp } from './command-line/words.js'
import { exitCodes } from './exit-code.js'

/** Texts that the build puts in: see `scripts/bundle.mjs`. */
declare const LANDFORM_VERSION: string
declare const LANDFORM_HELP: string
/** The digest of all bundles, so that no build reads the code of another. */
declare const LANDFORM_DIGEST: string

const loaded = new Map<string, unknown>()
/** Modules that take a millisecond or more to load, and that most runs do not need. */
const heavy: readonly string[] = [
  'node:child_process',
  'node:crypto',
  'node:dns',
  'node:fs/promises',
  'node:module',
  'node:os',
  'node:tls',
]

const [first = '', second] = process.argv.slice(2)
const isHelp = first === 'help' || asksForHelp(process.argv.slice(2))
const isMain = !isHelp && !['validate', 'lint', 'check'].includes(first)
const said = second !== undefined ? undefined : answer(first)
if (said !== undefined) say(said)
// Every declaration is in these bundles, and of the handlers only that of `validate`.
else if (isHelp) load('about')
else if (!isMain) load('check')
else {
  expectFewAnswers()
  // The other bundle is also the library: it runs as the program only when called so.
  ;(load('main') as { program: () => void }).program()
}

function answer(word: string): string | undefined {
  if (['--version', '-V', 'version'].includes(word)) return `${LANDFORM_VERSION}\n`
  return ['--help', '-h', 'help'].includes(word) ? LANDFORM_HELP : undefined
}

/** Writes to stdout; without a reader only the exit code is left. */
function say(text: string): void {
  try {
    writeSync(1, text)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN') process.stdout.write(text)
    else process.exitCode = code === 'EPIPE' ? exitCodes.brokenPipe : exitCodes.state
  }
}

/**
 * Has V8 wait a hundred times longer before it makes better code of the parser of answers, which is WebAssembly in undici.
 * It begins with that after a few kilobytes, works for a tenth of a second, and no process ends before it is done. Here,
 * since compiled code that was kept under other flags is refused.
 */
function expectFewAnswers(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--wasm-tiering-budget=180000000')
}

/** Runs a bundle; those that it loads later run in the same way, once. */
function load(bundle: string): unknown {
  const known = loaded.get(bundle)
  if (known !== undefined) return known
  const filename = `${__dirname}/${bundle}.cjs`
  const cache = cacheFile(bundle)
  const { room, length } = readFunction(filename)
  // Latin-1, which V8 uses without conversion: the bundles are pure ASCII.
  const source = room.toString('latin1', 0, length)
  const stored = cache === undefined ? undefined : readTrusted(cache, room)
  const script = new Script(source, {
    filename,
    lineOffset: 0,
    // V8 copies what does not begin where memory is aligned.
    ...(stored !== undefined && { cachedData: stored.subarray(0, -1) }),
  })
  if (cache !== undefined)
    process.on('exit', code => {
      // A cache that holds more replaces one that holds less: a check that finds a mistake does more, any other command less.
      const depth = isHelp ? 0 : (code === 0) === isMain ? 2 : 1
      const usable =
        stored !== undefined && script.cachedDataRejected !== true && (stored.at(-1) ?? 0) >= depth
      if (!usable) store(cache, Buffer.concat([script.createCachedData(), Buffer.of(depth)]))
    })
  const module: { exports: unknown } = { exports: {} }
  const required = (name: string): unknown => {
    if (name.startsWith('./')) return load(name.slice('./'.length, -'.cjs'.length))
    // undici goes without it where it is not there. No connection of this program uses it, and loading it takes 10 ms.
    if (name === 'node:http2') throw new Error('HTTP/2 is not used')
    return heavy.includes(name) ? onceAsked(name) : require(name)
  }
  script.runInThisContext()(required, module, module.exports)
  loaded.set(bundle, module.exports)
  return module.exports
}

/**
 * Reads a bundle as a function, since V8 would copy a text that is made of several, which is a megabyte here. `room` begins
 * with its text, which the compiled code may overwrite: that is up to twice as long.
 */
function readFunction(file: string): { readonly room: Buffer; readonly length: number } {
  const [head, tail] = ['(function (require, module, exports) {', '\n})']
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const length = head.length + size + tail.length
    const room = Buffer.allocUnsafeSlow(2 * length)
    room.write(head, 'latin1')
    if (readSync(descriptor, room, head.length, size, 0) !== size) throw new Error('a bundle was cut short')
    room.write(tail, head.length + size, 'latin1')
    return { room, length }
  } finally {
    closeSync(descriptor)
  }
}

/** Loads a module of Node when one of its names is first used: the bundles import names, never the whole. */
function onceAsked(name: string): object {
  return new Proxy({}, { get: (_, key) => (require(name) as Readonly<Record<PropertyKey, unknown>>)[key] })
}

/**
 * The file of the compiled code of a bundle: in a folder beside that of the bundles, owned by their owner, since its
 * content is executed like theirs and whoever could write it could write them. Folders of users are not used, nor any
 * where `CI` is set, since such folders are restored from caches that others may fill. V8 reads all that is kept, so commands
 * that run often keep what they need and no more; and it refuses what was compiled under other flags, which only `main` sets.
 */
function cacheFile(bundle: string): string | undefined {
  const { LANDFORM_CODE_CACHE: choice, CI: ci } = process.env
  if (choice === 'off' || ci !== undefined || process.getuid === undefined) return undefined
  const folder = `${__dirname.slice(0, __dirname.lastIndexOf('/'))}/compiled`
  try {
    if (isOwner()) mkdirSync(folder, { recursive: true, mode: 0o755 })
    const name = isMain ? `${bundle}-${['plan', 'apply'].includes(first) ? first : 'other'}` : bundle
    return isOurs(folder, 0o040000)
      ? `${folder}/${name}-${LANDFORM_DIGEST}-${process.version}-${process.arch}`
      : undefined
  } catch {
    return undefined
  }
}

/** True for a folder or a file itself, and no link, of who owns the program, that nobody else can write. */
function isOurs(path: string, kind: number): boolean {
  const { uid, mode } = lstatSync(path)
  return uid === lstatSync(__filename).uid && (mode & 0o170022) === kind
}

/** True for the owner of the program: no other user, such as root, writes the cache. */
function isOwner(): boolean {
  return lstatSync(__filename).uid === process.getuid?.()
}

/**
 * Reads cached code. V8 crashes on damaged code, so it is stored twice: comparing is faster than a checksum. Touching new
 * memory takes longer than reading, so the code is read into `room` if it fits, and compared in pieces.
 */
function readTrusted(file: string, room: Buffer): Buffer | undefined {
  let descriptor: number | undefined
  try {
    if (!isOurs(file, 0o100000)) return undefined
    descriptor = openSync(file, 'r')
    const half = fstatSync(descriptor).size / 2
    const stored = half <= room.length ? room.subarray(0, half) : Buffer.allocUnsafeSlow(half)
    const piece = Buffer.allocUnsafeSlow(65_536)
    if (readSync(descriptor, stored, 0, half, 0) !== half) return undefined
    for (let at = 0; at < half; ) {
      const count = readSync(descriptor, piece, 0, Math.min(piece.length, half - at), half + at)
      if (count === 0 || stored.compare(piece, 0, count, at, at + count) !== 0) return undefined
      at += count
    }
    return stored
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Deletes the caches of other versions, each a megabyte. */
function forgetOthers(file: string): void {
  const [folder, name] = [file.slice(0, file.lastIndexOf('/')), file.slice(file.lastIndexOf('/') + 1)]
  const [bundle = ''] = name.split('-')
  for (const other of readdirSync(folder))
    if (other.startsWith(`${bundle}-`) && !other.includes(LANDFORM_DIGEST)) unlinkSync(`${folder}/${other}`)
}

/** Written beside and renamed, so that no run reads half of it; a folder that cannot be written costs only time. */
function store(file: string, content: Buffer): void {
  try {
    if (!isOwner()) return
    const beside = `${file}.${process.pid}`
    writeFileSync(beside, Buffer.concat([content, content]), { mode: 0o644, flag: 'wx' })
    renameSync(beside, file)
    forgetOthers(file)
  } catch {
    // The next run compiles again.
  }
}

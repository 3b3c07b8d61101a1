/**
 * Runs the bundles beside the launcher, with the code that an earlier run has compiled already, where that can be trusted. It
 * is bundled with the launcher.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { Script } from 'node:vm'

/** The digest of all bundles, so that no build reads the code of another. */
declare const LANDFORM_DIGEST: string

const loaded = new Map<string, unknown>()
/**
 * What a bundle is read into, and then its compiled code, and then the next: touching new memory takes longer than reading.
 * V8 copies the text, and is done with the code once it has made a script of it.
 */
let room = Buffer.allocUnsafeSlow(600_000)
/** So much of cached code is compared at one time. */
const pieceBytes = 65_536
/** V8 copies a shorter text twice, and collects garbage for it. */
const leastCharacters = 140_000
/** Found with the first bundle. */
let folder: string | undefined
let owner: number | undefined
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

/** What a run keeps of the code that it has compiled, and uses of what others kept. */
export interface Keeping {
  /** The name under which the code of a bundle is kept. */
  nameOf(bundle: string): string
  /** Code of less depth is not used. */
  readonly leastDepth: number
  /** How much a run compiled of what later runs need, from 0; code of more depth replaces code of less. */
  depthOf(exitCode: number): number
}

/** Runs a bundle, and in the same way those that it loads later, each once; returns what it exports. */
export function loadBundle(bundle: string, keeping: Keeping): unknown {
  const known = loaded.get(bundle)
  if (known !== undefined) return known
  const filename = `${__dirname}/${bundle}.cjs`
  const cache = cacheFile(keeping.nameOf(bundle))
  const source = readFunction(filename)
  const stored = cache === '' ? undefined : readTrusted(cache)
  // Read here: the next bundle is read into the same memory.
  const storedDepth = stored?.at(-1) ?? 0
  const isUsed = storedDepth >= keeping.leastDepth
  const script = new Script(source, {
    filename,
    lineOffset: 0,
    // V8 copies what does not begin where memory is aligned.
    ...(stored !== undefined && isUsed && { cachedData: stored.subarray(0, -1) }),
  })
  if (cache !== '')
    process.on('exit', code => {
      const depth = keeping.depthOf(code)
      const usable = script.cachedDataRejected === false && storedDepth >= depth
      if (!usable) store(cache, Buffer.concat([script.createCachedData(), Buffer.of(depth)]))
    })
  const module: { exports: unknown } = { exports: {} }
  const required = (name: string): unknown => {
    if (name.endsWith('.json')) return JSON.parse(readFileSync(`${__dirname}/${name}`, 'utf8'))
    if (name.startsWith('./')) return loadBundle(name.slice('./'.length, -'.cjs'.length), keeping)
    // undici goes without it where it is not there. No connection of this program uses it, and loading it takes 10 ms.
    if (name === 'node:http2') throw new Error('HTTP/2 is not used')
    return heavy.includes(name) ? onceAsked(name) : require(name)
  }
  script.runInThisContext()(required, module, module.exports)
  loaded.set(bundle, module.exports)
  return module.exports
}

function makeRoom(length: number): Buffer {
  if (length > room.length) room = Buffer.allocUnsafeSlow(length)
  return room
}

/** Reads a bundle as a function, since V8 would copy a text that is made of several once more. */
function readFunction(file: string): string {
  const [head, tail] = ['(function (require, module, exports) {', '\n})']
  const descriptor = openSync(file, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const length = Math.max(head.length + size + tail.length, leastCharacters)
    const text = makeRoom(length)
    text.write(head, 'latin1')
    if (readSync(descriptor, text, head.length, size, 0) !== size) throw new Error('a bundle was cut short')
    text.write(tail, head.length + size, 'latin1')
    text.fill(' ', head.length + size + tail.length, length)
    // Latin-1, which V8 uses without conversion: the bundles are pure ASCII.
    return text.toString('latin1', 0, length)
  } finally {
    closeSync(descriptor)
  }
}

/** Loads a module of Node when one of its names is first used: the bundles import names, never the whole. */
function onceAsked(name: string): object {
  return new Proxy({}, { get: (_, key) => (require(name) as Readonly<Record<PropertyKey, unknown>>)[key] })
}

/**
 * The file of the compiled code of a bundle, empty where none is used: in a folder beside that of the bundles, owned by their
 * owner, since its content is executed like theirs and whoever could write it could write them. Folders of users are not used,
 * nor any where `CI` is set, since such folders are restored from caches that others may fill.
 */
function cacheFile(name: string): string {
  folder ??= findFolder()
  return folder && `${folder}/${name}-${LANDFORM_DIGEST}-${process.version}-${process.arch}`
}

/** Empty where no compiled code is used. */
function findFolder(): string {
  const { LANDFORM_CODE_CACHE: choice, CI: ci } = process.env
  if (choice === 'off' || ci !== undefined || process.getuid === undefined) return ''
  const path = `${__dirname.slice(0, __dirname.lastIndexOf('/'))}/compiled`
  try {
    if (isOwner() && !existsSync(path)) mkdirSync(path, { recursive: true, mode: 0o755 })
    return isOurs(path, 0o040000) ? path : ''
  } catch {
    return ''
  }
}

/** True for a folder or a file itself, and no link, of who owns the program, that nobody else can write. */
function isOurs(path: string, kind: number): boolean {
  const { uid, mode } = lstatSync(path)
  return uid === findOwner() && (mode & 0o170022) === kind
}

/** True for the owner of the program: no other user, such as root, writes the cache. */
function isOwner(): boolean {
  return findOwner() === process.getuid?.()
}

function findOwner(): number {
  owner ??= lstatSync(__filename).uid
  return owner
}

/** Reads cached code. V8 crashes on damaged code, so it is stored twice: comparing is faster than a checksum. */
function readTrusted(file: string): Buffer | undefined {
  let descriptor: number | undefined
  try {
    if (!isOurs(file, 0o100000)) return undefined
    descriptor = openSync(file, 'r')
    const half = fstatSync(descriptor).size / 2
    const whole = makeRoom(half + pieceBytes)
    const [stored, piece] = [whole.subarray(0, half), whole.subarray(half, half + pieceBytes)]
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

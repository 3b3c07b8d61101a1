import {
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Result, SiteRequest } from 'landform'
import { type ExitCode, exitCodes } from 'landform/cli'
import { isBelow } from 'landform/sites'
import type { Order } from '../model/run.js'
import type { GitReply, Repository, TreeEntry } from './repository.js'

/** Folders with the files of commits; each is created once, on first use. */
export interface CommitFolders {
  /** Returns the folder with all files of a commit. It lasts at least an hour from now. */
  openFolder(commit: string): Promise<GitReply<string>>
  close(): Promise<void>
}

export interface CommitFolderOptions {
  /** The parent of a folder that only this user can read. */
  readonly below: string
  /** Milliseconds since 1970. */
  now(): number
}

const hour = 3_600_000
const folderPrefix = 'landform-commits-'
/** Bytes read at once. */
const portion = 32 * 1024 * 1024

/** Creates the folders below a private one, and removes folders that were not used for an hour. */
export function createCommitFolders(
  repository: Repository,
  { below, now }: CommitFolderOptions,
): CommitFolders {
  let root: Promise<string> | undefined
  const kept = new Map<string, CachedFolder>()
  const forgetOld = async () => {
    for (const [commit, { folder, askedAt }] of kept) {
      if (now() - askedAt < hour) continue
      kept.delete(commit)
      const made = await folder
      if (made.ok) await rm(made.value, { recursive: true, force: true })
    }
  }
  const findFolder = async (commit: string) => {
    root ??= createPrivateFolder(below, now())
    const place = await root
    // Keeps other processes from removing the folder as unused.
    await utimes(place, now() / 1000, now() / 1000)
    const { folder } = kept.get(commit) ?? { folder: createFolder(repository, commit, place) }
    kept.set(commit, { folder, askedAt: now() })
    await forgetOld()
    return folder
  }
  return {
    async openFolder(commit) {
      const made = await findFolder(commit).catch((error: NodeJS.ErrnoException) => ({
        ok: false as const,
        error: `its files cannot be written below ${below} (${error.code ?? error.name})`,
      }))
      if (made.ok) return made
      // A failure may be temporary; the next attempt uses a new folder.
      kept.delete(commit)
      return made
    },
    async close() {
      if (root !== undefined) await rm(await root, { recursive: true, force: true })
    },
  }
}

interface CachedFolder {
  readonly folder: Promise<GitReply<string>>
  readonly askedAt: number
}

/** Creates a folder that no other user can write to, and removes day-old ones of killed processes. */
async function createPrivateFolder(wanted: string, now: number): Promise<string> {
  // Resolves links, because paths are compared as text.
  const below = await realpath(wanted)
  for (const name of await readdir(below)) {
    if (!name.startsWith(folderPrefix)) continue
    const path = join(below, name)
    const touched = await stat(path).catch(() => undefined)
    const isOld = touched !== undefined && now - touched.mtimeMs > 24 * hour
    if (isOld) await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
  return mkdtemp(join(below, folderPrefix))
}

/** Creates a folder under a temporary name until it is complete. */
async function createFolder(repository: Repository, commit: string, root: string): Promise<GitReply<string>> {
  const there = await repository.fetch(commit)
  if (!there.ok) return there
  const entries = await repository.entries(commit)
  if (!entries.ok) return entries
  const [folder, part] = [join(root, commit), join(root, `${commit}.part`)]
  await rm(part, { recursive: true, force: true })
  await mkdir(part)
  // A manifest may refer to any file in its repository, whose top the library finds by this name.
  await writeFile(join(part, '.git'), `Files of commit ${commit}; not a repository.\n`)
  const links = new Set(entries.value.flatMap(({ kind, path }) => (kind === 'link' ? [path] : [])))
  for (const some of splitPortions(entries.value.filter(({ path }) => isInside(path, links)))) {
    const objects = await repository.objects(some.map(({ object }) => object))
    if (!objects.ok) return objects
    for (const [at, bytes] of objects.value.entries()) await write(part, some[at], bytes)
  }
  await rename(part, folder)
  return { ok: true, value: folder }
}

async function write(root: string, entry: TreeEntry | undefined, bytes: Buffer): Promise<void> {
  if (entry === undefined) return
  const path = join(root, entry.path)
  await mkdir(dirname(path), { recursive: true })
  if (entry.kind === 'link') await symlink(bytes.toString('utf8'), path)
  else await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
}

/**
 * Rejects paths that git itself never creates; a crafted commit could lead out of the folder by one, or by one of its
 * links.
 */
function isInside(path: string, links: ReadonlySet<string>): boolean {
  const names = path.split('/')
  const isPlain = names.every(name => !['', '.', '..', '.git'].includes(name.toLowerCase()))
  return isPlain && names.slice(1).every((_, at) => !links.has(names.slice(0, at + 1).join('/')))
}

function* splitPortions(entries: readonly TreeEntry[]): Generator<readonly TreeEntry[]> {
  let some: TreeEntry[] = []
  let bytes = 0
  for (const entry of entries) {
    some.push(entry)
    bytes += entry.bytes
    if (bytes < portion) continue
    yield some
    some = []
    bytes = 0
  }
  if (some.length > 0) yield some
}

/** The manifest file of an order, or the reason that it cannot be opened. */
export type ManifestReply = Result<Pick<SiteRequest, 'file' | 'elsewhere'>, ManifestFailure>

export interface ManifestFailure {
  readonly message: string
  readonly exitCode: ExitCode
}

/** Finds the manifest of an order; called before each step, because an earlier result may be gone an hour later. */
export type FindManifest = (order: Pick<Order, 'manifest' | 'commit'>) => Promise<ManifestReply>

/**
 * Finds manifests in the folder of a worker or, if an order names a commit, in that. Files that the commit does not
 * contain, such as secrets, are read from the folder.
 */
export function createManifestFinder(folder: string, commits: CommitFolders): FindManifest {
  return async ({ manifest, commit }) => {
    if (commit === undefined) return resolveFile(folder, manifest)
    const made = await commits.openFolder(commit)
    if (!made.ok)
      return {
        ok: false,
        error: { message: `the commit ${commit} cannot be read: ${made.error}`, exitCode: exitCodes.trouble },
      }
    const found = resolveFile(made.value, manifest)
    const elsewhere = { root: made.value, instead: resolve(folder) }
    return found.ok ? { ok: true, value: { ...found.value, elsewhere } } : found
  }
}

function resolveFile(folder: string, manifest: string): ManifestReply {
  const file = join(folder, manifest)
  if (isBelow(resolve(folder), resolve(file))) return { ok: true, value: { file } }
  return {
    ok: false,
    error: { message: 'the manifest is outside the folder of the worker', exitCode: exitCodes.invalid },
  }
}

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
  const kept = new Map<string, { readonly folder: Promise<GitReply<string>>; readonly askedAt: number }>()
  const removeOld = async () => {
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
    await removeOld()
    return folder
  }
  return {
    async openFolder(commit) {
      const made = await findFolder(commit).catch((error: NodeJS.ErrnoException) => ({
        ok: false as const,
        error: `its files cannot be written below ${below} (${error.code ?? error.name})`,
      }))
      // A failure may be temporary; the next attempt uses a new folder.
      if (!made.ok) kept.delete(commit)
      return made
    },
    async close() {
      if (root !== undefined) await rm(await root, { recursive: true, force: true })
    },
  }
}

/** Creates a folder that no other user can write to, and removes day-old ones of killed processes. */
async function createPrivateFolder(wanted: string, now: number): Promise<string> {
  // Resolves links, because paths are compared as text.
  const below = await realpath(wanted)
  for (const name of await readdir(below)) {
    if (!name.startsWith(folderPrefix)) continue
    const path = join(below, name)
    const touched = await stat(path).catch(() => undefined)
    if (touched !== undefined && now - touched.mtimeMs > 24 * hour)
      await rm(path, { recursive: true, force: true }).catch(() => undefined)
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
    for (const [at, entry] of some.entries()) await write(part, entry, objects.value[at] ?? Buffer.of())
  }
  await rename(part, folder)
  return { ok: true, value: folder }
}

async function write(root: string, entry: TreeEntry, bytes: Buffer): Promise<void> {
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

function splitPortions(entries: readonly TreeEntry[]): readonly (readonly TreeEntry[])[] {
  const portions: TreeEntry[][] = []
  let bytes = portion
  for (const entry of entries) {
    if (bytes >= portion) {
      portions.push([])
      bytes = 0
    }
    portions.at(-1)?.push(entry)
    bytes += entry.bytes
  }
  return portions
}

/** The manifest file of an order, or the reason that it cannot be opened. */
export type ManifestReply = Result<
  Pick<SiteRequest, 'file' | 'elsewhere'>,
  { readonly message: string; readonly exitCode: ExitCode }
>

/**
 * Finds manifests in the folder of a worker or, if an order names a commit, in that. Files that the commit does not
 * contain, such as secrets, are read from the folder. Called before each step, because an earlier result may be gone an
 * hour later.
 */
export function createManifestFinder(folder: string, commits: CommitFolders) {
  const fail = (message: string, exitCode: ExitCode) => ({ ok: false, error: { message, exitCode } }) as const
  return async ({ manifest, commit }: Pick<Order, 'manifest' | 'commit'>): Promise<ManifestReply> => {
    const made = commit === undefined ? undefined : await commits.openFolder(commit)
    if (made?.ok === false)
      return fail(`the commit ${commit} cannot be read: ${made.error}`, exitCodes.trouble)
    const root = made?.value ?? folder
    const file = join(root, manifest)
    if (!isBelow(resolve(root), resolve(file)))
      return fail('the manifest is outside the folder of the worker', exitCodes.invalid)
    return { ok: true, value: { file, ...(made && { elsewhere: { root, instead: resolve(folder) } }) } }
  }
}

import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileDigests } from '../../support/file-digests.js'

/** What another machine may have otherwise, and no build may show. */
export interface Surroundings {
  readonly umask: string
  /** Rights of the checked-out files, as that umask leaves them. */
  readonly modes: { readonly file: number; readonly folder: number }
  readonly checkedOut: Date
  readonly environment: Readonly<Record<string, string>>
}

/** Two machines that have nothing in common but the sources, the packages and Node. */
export const surroundings: readonly Surroundings[] = [
  {
    umask: '077',
    modes: { file: 0o600, folder: 0o700 },
    checkedOut: new Date('2001-02-03T04:05:06Z'),
    environment: { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', USER: 'one' },
  },
  {
    umask: '002',
    modes: { file: 0o664, folder: 0o775 },
    checkedOut: new Date('2030-11-12T13:14:15Z'),
    environment: { TZ: 'America/St_Johns', LANG: 'C', LC_ALL: 'C', USER: 'two', SOURCE_DATE_EPOCH: '1' },
  },
]

/** The packages that were made, the program first, and the digest of every file that the build left. */
export interface Built {
  readonly tarballs: readonly Buffer[]
  readonly digests: Readonly<Record<string, string>>
}

/** Copies the sources into an empty folder, and gives back what makes the package there by `npm run pack`. */
export function builderIn(
  folder: string,
  root: string,
  { umask, modes, checkedOut, environment }: Surroundings,
): () => Built {
  const sources = join(folder, `landform-${umask}`)
  const home = join(folder, 'home')
  const left = ['.git', 'node_modules', 'dist', '.landform', 'packages/fleet/dist'].map(name =>
    join(root, name),
  )
  mkdirSync(home, { recursive: true })
  cpSync(root, sources, { recursive: true, filter: from => !left.includes(from) && !from.endsWith('.tgz') })
  for (const entry of readdirSync(sources, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) continue
    chmodSync(path, entry.isDirectory() ? modes.folder : modes.file)
    utimesSync(path, checkedOut, checkedOut)
  }
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'))
  return () => {
    const { PATH = '' } = process.env
    const { status, stdout, stderr } = spawnSync(
      'sh',
      ['-c', `umask ${umask} && exec npm run --silent pack`],
      {
        cwd: sources,
        env: { PATH, HOME: home, TMPDIR: folder, ...environment },
        encoding: 'utf8',
      },
    )
    if (status !== 0) throw new Error(`npm run pack ends with ${status}\n${stdout}${stderr}`)
    return { tarballs: tarballsOf(stdout), digests: builtFiles(sources) }
  }
}

/** What the script that packs wrote: the path of each tarball. */
export function tarballsOf(stdout: string): readonly Buffer[] {
  return stdout
    .trim()
    .split('\n')
    .map(path => readFileSync(path))
}

function builtFiles(sources: string): Readonly<Record<string, string>> {
  const folders = ['dist', 'packages/fleet/dist']
  const files = folders.flatMap(folder =>
    Object.entries(fileDigests(join(sources, folder))).map(([name, digest]) => [`${folder}/${name}`, digest]),
  )
  return Object.fromEntries(files)
}

/** The files that two builds do not have alike. */
export function differences(one: Built, other: Built): readonly string[] {
  const names = [...new Set([...Object.keys(one.digests), ...Object.keys(other.digests)])].sort()
  return [
    ...names.filter(name => one.digests[name] !== other.digests[name]).map(name => `${name} differs`),
    ...one.tarballs
      .filter((tarball, at) => other.tarballs[at]?.equals(tarball) !== true)
      .map(() => 'a tarball differs'),
  ]
}

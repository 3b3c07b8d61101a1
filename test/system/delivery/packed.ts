import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { root } from '../../support/manifests.js'
import { runProgram } from '../../support/program.js'

/** Packs what npm would publish into a folder, under the umask 077. Returns the paths of the tarballs, the program first. */
export async function packedInto(folder: string): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true })
  const pack = [process.execPath, join(root, 'scripts/pack.mjs'), folder]
  const { stdout, stderr, code } = await runProgram('sh', ['-c', 'umask 077 && exec "$0" "$@"', ...pack])
  if (code !== 0) throw new Error(`the package was not packed: ${stderr}`)
  return stdout.trim().split('\n')
}

export const fleetLock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync(join(root, 'packages/fleet/dist/locked/package-lock.json'), 'utf8'),
)

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Links the dependencies of the package for fleets into a folder, as if npm had installed them from its lock file. */
export function linkDependencies(folder: string): void {
  for (const path of Object.keys(fleetLock.packages).filter(one => one.lastIndexOf('node_modules/') === 0)) {
    const place = join(folder, path)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(root, path), place)
  }
}

/** One file of a tarball. */
export interface TarEntry {
  readonly path: string
  readonly mode: number
  /** `0` is a regular file. */
  readonly type: string
  /** Seconds since 1970. */
  readonly mtime: number
  readonly uid: number
  readonly gid: number
  readonly body: Buffer
}

const block = 512

/** Reads the files of a tarball, in order. Supports only names that fit into one header, as in npm's tarballs here. */
export function tarEntries(tarball: Uint8Array): readonly TarEntry[] {
  const bytes = gunzipSync(tarball)
  const entries: TarEntry[] = []
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0; ) {
    const text = (from: number, length: number) =>
      bytes
        .subarray(at + from, at + from + length)
        .toString('utf8')
        .replace(/\0[\s\S]*$/, '')
    const octal = (from: number, length: number) => Number.parseInt(text(from, length).trim() || '0', 8)
    const size = octal(124, 12)
    const prefix = text(345, 155)
    entries.push({
      path: `${prefix === '' ? '' : `${prefix}/`}${text(0, 100)}`,
      mode: octal(100, 8),
      type: text(156, 1),
      mtime: octal(136, 12),
      uid: octal(108, 8),
      gid: octal(116, 8),
      body: bytes.subarray(at + block, at + block + size),
    })
    at += block + Math.ceil(size / block) * block
  }
  return entries
}

/** Matches a key or a token in a known form, but not certificates or text about keys. */
const keyMaterial =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[\w+/=]{16}|\b(?:npm_|gh[pousr]_|AKIA)[A-Za-z0-9]{16,}/

/** The time that npm sets for all files. */
const npmTime = Date.UTC(1985, 9, 26, 8, 15) / 1000

/** Lists facts about the packing machine that files of a package reveal; `marks` are texts to search for. */
export function packedComplaints(
  entries: readonly TarEntry[],
  marks: readonly string[],
  programs: readonly string[] = [],
): readonly string[] {
  return entries.flatMap(({ path, mode, type, mtime, uid, gid, body }) => {
    const text = body.toString('latin1')
    const claims: readonly (readonly [boolean, string])[] = [
      [type === '0', 'is no plain file'],
      [mode === (programs.includes(path) ? 0o755 : 0o644), `has the mode ${mode.toString(8)}`],
      [uid === 0 && gid === 0, 'tells who packed it'],
      [mtime === npmTime, 'tells when it was packed'],
      [!keyMaterial.test(text), 'has a key or a token in it'],
      ...marks.map(mark => [!text.includes(mark), `tells of the machine: ${mark}`] as const),
    ]
    return claims.filter(([holds]) => !holds).map(([, what]) => `${path} ${what}`)
  })
}

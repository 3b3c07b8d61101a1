import { gunzipSync } from 'node:zlib'

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

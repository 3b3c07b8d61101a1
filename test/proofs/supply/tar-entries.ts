import { gunzipSync } from 'node:zlib'

/** One file of a tarball. */
export interface TarEntry {
  readonly path: string
  readonly mode: number
  /** `0` is a plain file. */
  readonly type: string
  /** Seconds since 1970. */
  readonly mtime: number
  readonly uid: number
  readonly gid: number
  readonly body: Buffer
}

const block = 512

/** The files of a packed tarball, in their order: names fit into one header, as npm packs ours. */
export function tarEntries(tarball: Uint8Array): readonly TarEntry[] {
  const bytes = gunzipSync(tarball)
  const entries: TarEntry[] = []
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0; ) {
    const header = bytes.subarray(at, at + block)
    const text = (from: number, length: number) =>
      header
        .subarray(from, from + length)
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

import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

const chunkBytes = 8 * 1024 * 1024
/** Chunks overlap, so that no secret is split. */
const overlap = 4096

/** Reads the writable memory of a process, in overlapping pieces. Requires the permissions of its user. */
export function* writableMemory(pid: number): Generator<Buffer> {
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from = '', to = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
      if (from === '') continue
      const end = Number.parseInt(to, 16)
      for (let at = Number.parseInt(from, 16); at < end; at += chunkBytes - overlap) {
        const bytes = readAt(memory, at, Math.min(chunkBytes, end - at))
        if (bytes !== undefined) yield bytes
        if (at + chunkBytes >= end) break
      }
    }
  } finally {
    closeSync(memory)
  }
}

/** Reads a piece; `undefined` for pages that are not readable, such as those of a sandbox. */
function readAt(memory: number, position: number, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length)
  try {
    return bytes.subarray(0, readSync(memory, bytes, 0, length, position))
  } catch {
    return undefined
  }
}

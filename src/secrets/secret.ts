import { inspect } from 'node:util'
import { computeDigest, startDigest } from '../manifest/digest.js'
import type { JsonPointer } from '../schema/pointer.js'

const shown = '[secret]'

/** A value that prints as a placeholder. */
abstract class Hidden {
  toString(): string {
    return shown
  }

  toJSON(): string {
    return shown
  }

  [inspect.custom](): string {
    return shown
  }
}

/** The bytes of a secret: read once, written into one request, then wiped. They never become a string here. */
export class Secret extends Hidden {
  readonly #bytes: Buffer

  /** Takes over the bytes: the caller keeps no copy. */
  constructor(bytes: Buffer) {
    super()
    this.#bytes = bytes
  }

  /** The bytes, for a request or a rule; callers keep no copy. */
  get bytes(): Buffer {
    return this.#bytes
  }

  async computeDigest(): Promise<string> {
    return computeDigest(this.#bytes)
  }

  /** Overwrites the bytes. */
  wipe(): void {
    this.#bytes.fill(0)
  }
}

/** The secrets of a manifest by the pointers of their references. */
export type Secrets = ReadonlyMap<JsonPointer, Secret>

/** An open file, which its reader closes. */
export interface OpenFile {
  readonly byteLength: number
  /** Fills a buffer from an offset in the file; returns the number of bytes. */
  read(into: Buffer, from: number): Promise<number>
  /** False if the file was written to since it was opened. */
  isUnchanged(): Promise<boolean>
  close(): void
}

/** Bytes in a piece. Larger pieces were slower or took more memory. */
export const pieceBytes = 1024 * 1024

/**
 * A secret file that is too large for memory: it stays open after it was checked, and is read while it is sent.
 */
export class SecretFile extends Hidden {
  readonly #file: OpenFile

  constructor(file: OpenFile) {
    super()
    this.#file = file
  }

  get byteLength(): number {
    return this.#file.byteLength
  }

  /**
   * Reads the file piece by piece. Two buffers alternate, so a piece is valid only until the next one is requested. If the
   * file changed since it was opened, an error with the code `FILE_CHANGED` replaces the last piece.
   */
  async *pieces(): AsyncGenerator<Buffer> {
    const rooms = [0, 1].map(() => Buffer.allocUnsafeSlow(pieceBytes))
    const readNext = (at: number, room: Buffer | undefined) => {
      const reading = this.#readPiece(at, room?.subarray(0, this.byteLength - at) ?? Buffer.alloc(0))
      // It may reject before it is awaited.
      reading.catch(() => undefined)
      return reading
    }
    let at = 0
    let next = readNext(at, rooms[0])
    try {
      while (at < this.byteLength) {
        const piece = await next
        at += piece.byteLength
        rooms.reverse()
        // Reads the next piece while this one is sent.
        if (at < this.byteLength) next = readNext(at, rooms[0])
        yield piece
      }
    } finally {
      await next.catch(() => undefined)
      for (const room of rooms) room.fill(0)
    }
  }

  async #readPiece(at: number, into: Buffer): Promise<Buffer> {
    const isWhole = (await this.#file.read(into, at)) === into.byteLength
    const isLast = at + into.byteLength === this.byteLength
    if (!isWhole || (isLast && !(await this.#file.isUnchanged()))) throw fileChanged
    return into
  }

  /** Computes the digest; `undefined` if the file changes while it is read. */
  async computeDigest(): Promise<string | undefined> {
    const sum = startDigest()
    try {
      for await (const piece of this.pieces()) sum.update(piece)
      return sum.digest()
    } catch (error) {
      if (error === fileChanged) return undefined
      throw error
    }
  }

  /** Reads the first and the last bytes. */
  async readEnds(length: number): Promise<readonly [first: Buffer, last: Buffer]> {
    const ends = [Buffer.alloc(length), Buffer.alloc(length)] as const
    await this.#file.read(ends[0], 0)
    await this.#file.read(ends[1], this.byteLength - length)
    return ends
  }

  /** Closes the file. */
  wipe(): void {
    this.#file.close()
  }
}

const changed = 'FILE_CHANGED'
const fileChanged = Object.assign(new Error(changed), { code: changed })

/** The secrets of a manifest with its large files, for a request that sends them. */
export type SecretsToSend = ReadonlyMap<JsonPointer, Secret | SecretFile>

/** Finds a secret that is in memory. */
export function findSecret(secrets: SecretsToSend, pointer: JsonPointer): Secret | undefined {
  const found = secrets.get(pointer)
  return found instanceof Secret ? found : undefined
}

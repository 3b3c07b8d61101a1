import { inspect } from 'node:util'
import type { JsonPointer } from '../diagnostics/pointer.js'
import { computeDigest } from '../manifest/digest.js'

const shown = '[secret]'

/** A value that prints as a mark. */
export abstract class Hidden {
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

/**
 * The bytes of a secret: read once, written into one request, then wiped. They never become a string here.
 */
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

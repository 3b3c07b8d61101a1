import { inspect } from 'node:util'
import type { JsonPointer } from '../diagnostics/pointer.js'
import { computeDigest } from '../manifest/digest.js'

const shown = '[secret]'

/** What is never shown: whatever prints it prints a mark instead. */
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
 * Bytes that no output may show: read once, written into one request, then wiped. Never becomes a string here;
 * whatever prints it prints a mark instead.
 */
export class Secret extends Hidden {
  readonly #bytes: Buffer

  /** Takes the bytes over: the caller keeps no copy. */
  constructor(bytes: Buffer) {
    super()
    this.#bytes = bytes
  }

  /** The bytes themselves, for writing into a request or checking a rule; not to be kept or copied. */
  get bytes(): Buffer {
    return this.#bytes
  }

  async computeDigest(): Promise<string> {
    return computeDigest(this.#bytes)
  }

  /** Overwrites the bytes. The secret is empty of meaning afterwards. */
  wipe(): void {
    this.#bytes.fill(0)
  }
}

/** The secrets of a manifest by where their references stand. */
export type Secrets = ReadonlyMap<JsonPointer, Secret>

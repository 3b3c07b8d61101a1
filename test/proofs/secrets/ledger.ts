import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Canary } from './canaries.js'
import type { Scanner } from './scanner.js'

/** All that was seen of every channel, until it is judged. */
export interface Ledger {
  /** Adds what was seen in a channel. */
  see(channel: string, seen: Uint8Array | string): void
  /** Adds all files below a folder that are no links, but those that hold secrets on purpose. */
  seeFiles(channel: string, folder: string, isSource?: (path: string) => boolean): void
  /** Adds what is too large to be kept: of it only what is found now. */
  skim(channel: string, bytes: Uint8Array, scan: Scanner): void
  /** What the scanner finds; the control must be one of the texts that it knows. */
  judge(scan: Scanner, control: Canary): Judgement
}

export interface Judgement {
  readonly channels: number
  /** Channels in which the control was found: so what was looked at is what is meant. */
  readonly controls: number
  readonly bytes: number
  readonly complaints: readonly string[]
  /** The channels in which it was not found. */
  readonly unseen: readonly string[]
}

/** A new ledger, in which nothing was seen. */
export function newLedger(): Ledger {
  const seen = new Map<string, Buffer[]>()
  let skimmed = 0
  const see = (channel: string, bytes: Uint8Array | string) => {
    const pieces = seen.get(channel) ?? []
    pieces.push(Buffer.from(bytes as string))
    seen.set(channel, pieces)
  }
  return {
    see,
    seeFiles(channel, folder, isSource = () => false) {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name)
        // A name may hold a secret, too.
        see(channel, `${path}\n`)
        if (entry.isFile() && !isSource(path)) see(channel, readFileSync(path))
      }
    },
    skim(channel, bytes, scan) {
      skimmed += bytes.byteLength
      for (const { offset } of scan(bytes))
        see(channel, bytes.subarray(Math.max(0, offset - 100), offset + 200))
    },
    judge(scan, control) {
      const complaints: string[] = []
      const unseen: string[] = []
      let controls = 0
      let total = skimmed
      for (const [channel, pieces] of seen) {
        let isControlled = false
        for (const bytes of pieces) {
          total += bytes.byteLength
          for (const { canary, encoding, offset } of scan(bytes)) {
            if (canary === control.name) isControlled = true
            else
              complaints.push(
                `${channel} holds ${canary} as ${encoding} at ${offset}: ${around(bytes, offset)}`,
              )
          }
        }
        if (isControlled) controls += 1
        else unseen.push(channel)
      }
      return { channels: seen.size, controls, bytes: total, complaints: [...new Set(complaints)], unseen }
    },
  }
}

/** What stands before a find, and not the find. */
function around(bytes: Buffer, offset: number): string {
  return JSON.stringify(bytes.toString('latin1', Math.max(0, offset - 60), offset))
}

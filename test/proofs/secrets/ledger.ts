import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Canary } from './canaries.js'
import type { Scanner } from './scanner.js'

/** Collects the bytes of every channel, until they are searched. */
export interface Ledger {
  see(channel: string, seen: Uint8Array | string): void
  /** Adds all files below a folder, without links and without those that hold secrets on purpose. */
  seeFiles(channel: string, folder: string, isSource?: (path: string) => boolean): void
  /** Searches bytes that are too large to keep, and adds only the findings. */
  skim(channel: string, bytes: Uint8Array, scan: Scanner): void
  /** Searches everything. The scanner must include the control. */
  search(scan: Scanner, control: Canary): SearchResult
}

export interface SearchResult {
  readonly channels: number
  /** Channels in which the control was found, so the right bytes were searched. */
  readonly controls: number
  readonly bytes: number
  /** Each secret that was found, with its channel. */
  readonly secrets: readonly string[]
  /** The channels without the control. */
  readonly unseen: readonly string[]
}

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
    search(scan, control) {
      const secrets: string[] = []
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
              secrets.push(`${channel} holds ${canary} as ${encoding} at ${offset}: ${around(bytes, offset)}`)
          }
        }
        if (isControlled) controls += 1
        else unseen.push(channel)
      }
      return { channels: seen.size, controls, bytes: total, secrets: [...new Set(secrets)], unseen }
    },
  }
}

/** Quotes the bytes before a finding, without the finding. */
function around(bytes: Buffer, offset: number): string {
  return JSON.stringify(bytes.toString('latin1', Math.max(0, offset - 60), offset))
}

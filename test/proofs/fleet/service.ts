import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Seen } from '../judge/requests.js'

export interface ServiceOptions {
  readonly sites: number
  readonly stageMs: number
  /** How long the root resource hides a configuration that began. */
  readonly unseenMs?: number
  /** The delay of responses to writes. Each site has its own, within this range. */
  readonly answerMs?: readonly [from: number, to: number]
  /** Values of `landform emulate --fault`. */
  readonly faults?: readonly string[]
}

export interface Service {
  readonly urls: readonly string[]
  /** Lists every request so far, in the order in which they were carried out. */
  seen(): Promise<readonly Seen[]>
  close(): Promise<void>
}

/** Starts the service in a process that ends with this one. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const child = fork(fileURLToPath(new URL('./service-process.js', import.meta.url)), [
    JSON.stringify(options),
  ])
  const [urls] = (await once(child, 'message')) as [readonly string[]]
  const all: Seen[] = []
  return {
    urls,
    async seen() {
      child.send(all.length)
      const [more] = (await once(child, 'message')) as [readonly Seen[]]
      all.push(...more)
      return [...all]
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

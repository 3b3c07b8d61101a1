import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Seen } from '../judge/requests.js'

/** How a service of the stage behaves. */
export interface ServiceOptions {
  readonly sites: number
  /** How long each of the fourteen stages takes. */
  readonly stageMs: number
  /** For so long after a configuration began the root resource shows nothing of it. */
  readonly unseenMs?: number
  /** The answers to what writes come so late, each site at its own time between the two. */
  readonly answerMs?: readonly [from: number, to: number]
  /** As `landform emulate --fault` takes them. */
  readonly faults?: readonly string[]
}

/** The service of the stage. */
export interface Service {
  /** The base URLs of the sites. */
  readonly urls: readonly string[]
  /** Every request so far, in the order in which they were carried out. */
  seen(): Promise<readonly Seen[]>
  close(): Promise<void>
}

/** Starts it in a process that ends with this one, however that ends. */
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

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Seen, ServiceOptions } from './seen.js'

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

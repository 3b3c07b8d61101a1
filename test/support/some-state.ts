import { memoryBackend } from '../../src/state/memory-backend.js'
import type { StatePorts, StateStore } from '../../src/state/ports.js'
import type { Series, StateBackend, Version } from '../../src/state/series.js'
import type { StateFailure } from '../../src/state/state-failure.js'
import { stateStore } from '../../src/state/state-store.js'

let made = 0

/** Returns the ports of a store, for a process that never ends. Each nonce is unique. */
export function statePortsFor(now: () => number, changes: Partial<StatePorts> = {}): StatePorts {
  return {
    now,
    nonce() {
      made += 1
      return `nonce-${made}`
    },
    self: async () => ({ host: 'runner', pid: 1 }),
    liveness: async () => 'alive',
    tool: 'landform/test',
    ...changes,
  }
}

/** Returns the state of one site in memory. */
export function someState(url: string, now: () => number, backend = memoryBackend()): StateStore {
  return stateStore(backend, { url }, statePortsFor(now))
}

/** Returns a backend whose writes fail from this number on, counted over all sites. */
export function failingFrom(
  write: number,
  failure: StateFailure,
  backend: StateBackend = memoryBackend(),
): StateBackend {
  let writes = 0
  return addingBy(backend, async (series, version) => {
    writes += 1
    return writes < write ? series.add(version) : { ok: false, error: failure }
  })
}

/** Returns a backend with another way to add versions. */
export function addingBy(
  backend: StateBackend,
  add: (series: Series, version: Version) => ReturnType<Series['add']>,
): StateBackend {
  return {
    ...backend,
    series(site) {
      const series = backend.series(site)
      return { ...series, add: version => add(series, version) }
    },
  }
}

import { memoryBackend } from '../../src/state/memory-backend.js'
import { stateStore } from '../../src/state/state-store.js'
import { statePortsFor } from '../support/some-state.js'

const minuteMs = 60_000
const leaseMs = 15 * minuteMs
const hourMs = 60 * minuteMs
const begin = Date.UTC(2026, 0, 2)
/** A lease is kept for clocks that are two minutes apart at most. */
const guaranteedSkewMs = 2 * minuteMs

/** A machine whose clock says this while it takes the site. */
function machine(backend: ReturnType<typeof memoryBackend>, host: string, now: number) {
  const ports = { self: async () => ({ host, pid: 1 }), liveness: async () => 'elsewhere' as const }
  const url = 'https://gis.example.org/admin'
  return stateStore(
    { ...backend, leaseMs },
    { url },
    statePortsFor(() => now, ports),
  ).take('apply')
}

const late = [minuteMs, 2 * minuteMs, 3 * minuteMs, hourMs, 365 * 24 * hourMs]
const apart = [...late.map(ms => -ms), 0, ...late]

test.each(apart)(
  'of two machines whose clocks are %i ms apart only one can write, however long the lease was held',
  async apartMs => {
    for (const heldMs of [
      0,
      minuteMs,
      leaseMs - minuteMs,
      leaseMs - 1,
      leaseMs,
      leaseMs + 2 * minuteMs,
      hourMs,
    ]) {
      const backend = memoryBackend()
      const first = await machine(backend, 'one', begin)
      if (first.kind !== 'held') throw new Error(first.kind)
      const isTaken = (await machine(backend, 'two', begin + heldMs + apartMs)).kind === 'held'
      if (heldMs < leaseMs && Math.abs(apartMs) <= guaranteedSkewMs) expect(isTaken).toBe(false)
      if (heldMs + apartMs >= leaseMs + guaranteedSkewMs) expect(isTaken).toBe(true)
      const written = await first.held.write({ type: 'renewed' }, content => content)
      expect([heldMs, written.ok]).toEqual([heldMs, !isTaken])
    }
  },
)

import { memoryBackend } from '../../../src/state/memory-backend.js'
import { stateStore } from '../../../src/state/state-store.js'
import { statePortsFor } from '../../support/some-state.js'

const leaseMs = 15 * 60_000
const minuteMs = 60_000
const begin = Date.UTC(2026, 0, 2)

/** What is promised: a lease is kept for clocks that are two minutes apart at most. */
const guaranteedSkewMs = 2 * minuteMs

/**
 * Two machines whose clocks are apart: the second looks when the first has held its lease for some time. Who is taken over
 * from can never write again, whatever the clocks say.
 */
export async function leaseBroken(apartMs: number, heldMs: number): Promise<readonly string[]> {
  const backend = { ...memoryBackend(), leaseMs }
  const url = 'https://gis.example.org/admin'
  const machine = (host: string, now: number) =>
    stateStore(
      backend,
      { url },
      statePortsFor(() => now, { self: async () => ({ host, pid: 1 }), liveness: async () => 'elsewhere' }),
    )
  const first = await machine('one', begin).take('apply')
  if (first.kind !== 'held') return [`the first does not get the site: ${first.kind}`]
  const second = await machine('two', begin + heldMs + apartMs).take('apply')
  const isTaken = second.kind === 'held'
  const found: string[] = []
  if (isTaken && heldMs < leaseMs && Math.abs(apartMs) <= guaranteedSkewMs)
    found.push('a lease that lasts was taken over')
  if (!isTaken && heldMs + apartMs >= leaseMs + guaranteedSkewMs)
    found.push('a lease that is over was not taken over')
  const written = await first.held.write({ type: 'renewed' }, content => content)
  if (isTaken && written.ok) found.push('two runs write one state')
  if (!isTaken && !written.ok) found.push('the one who has the site cannot write')
  return found
}

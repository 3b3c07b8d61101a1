import type { Reply } from '../../src/client/failure.js'
import type { ConfigureCall } from '../../src/client/site-client.js'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import { startEmulator } from '../../src/emulator/server.js'
import type { Observation } from '../../src/plan/observation.js'
import { applied, planFor, portsFor, scriptedSite } from '../support/applying.js'
import { exampleManifest } from '../support/manifests.js'
import { virtualClock } from '../support/virtual-clock.js'

const quickstart = exampleManifest()
const taken = { ok: true, value: { kind: 'in-progress', warnings: [], stages: [] } } as const
const cut = { ok: false, error: { kind: 'no-answer', reason: 'stopped' } } as const
const nothing = { ok: true, value: { kind: 'not-configured', warnings: [], stages: [] } } as const

let emulator: Emulator

beforeEach(async () => {
  emulator = await startEmulator()
})

afterEach(() => emulator.close())

/** Interrupts an apply while `configure` is being sent; `send` answers the request. */
async function stoppedMidWay(send: (cutOff: AbortSignal) => Promise<Reply<Observation>>, sleeps: boolean) {
  const stop = new AbortController()
  const clock = virtualClock()
  const call: ConfigureCall = {
    observed: nothing.value,
    deadlineMs: 900_000,
    discard: () => undefined,
    async send(cutOff) {
      stop.abort()
      return send(cutOff)
    },
  }
  const client = scriptedSite([nothing], { openConfigure: async () => ({ ok: true, value: call }) })
  const pauses: AbortSignal[] = []
  const never = (_: number, pause: AbortSignal) => {
    pauses.push(pause)
    return new Promise<void>(() => undefined)
  }
  const patient = { ...clock, sleep: sleeps ? clock.sleep : never }
  const plan = await planFor(emulator.url, quickstart, portsFor(emulator.url))
  const { receipt } = await applied(plan, portsFor(emulator.url, { client, clock: patient }), {
    signal: stop.signal,
  })
  return { outcome: receipt.outcome, elapsedMs: clock.monotonicMs(), pauses }
}

test('an interrupt leaves a request time for its response, and the response counts', async () => {
  const answer = async (cutOff: AbortSignal) => {
    expect(cutOff.aborted).toBe(false)
    return taken
  }
  const { outcome, pauses } = await stoppedMidWay(answer, false)
  expect(outcome).toMatchObject({ kind: 'in-progress', because: 'interrupted' })
  // The process does not wait for the rest of that time.
  expect(pauses.map(({ aborted }) => aborted)).toStrictEqual([true])
})

test('a request that is not answered half a minute after an interrupt is cut off, and its outcome is unknown', async () => {
  const silence = (cutOff: AbortSignal) =>
    new Promise<Reply<Observation>>(resolve => cutOff.addEventListener('abort', () => resolve(cut)))
  const { outcome, elapsedMs } = await stoppedMidWay(silence, true)
  expect(outcome).toMatchObject({ kind: 'unknown', operation: 'configure' })
  expect(elapsedMs).toBeGreaterThanOrEqual(30_000)
})

import { getEventListeners, getMaxListeners } from 'node:events'
import { withDeadline } from '../../src/client/limit.js'

test('a call that has ended leaves no listener on its signal, which many calls share', async () => {
  const { signal } = new AbortController()
  const listeners = () => getEventListeners(signal, 'abort').length
  const during = await withDeadline(60_000, signal, async () => listeners())
  expect([during, listeners(), getMaxListeners(signal)]).toEqual([1, 0, Number.POSITIVE_INFINITY])
})

test.each([
  ['the deadline passes', 0, (_stop: AbortController) => undefined, 'TIMEOUT'],
  ['it is interrupted', 60_000, (stop: AbortController) => stop.abort(), 'AbortError'],
])('if %s, a call ends with that reason', async (_, deadlineMs, end, reason) => {
  const stop = new AbortController()
  const told = withDeadline(deadlineMs, stop.signal, async ({ signal, readReason }) => {
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
    return readReason(signal.reason)
  })
  // The timer of a call does not keep a process alive, and neither does anything else here.
  const awake = setInterval(() => undefined, 1_000)
  end(stop)
  expect(await told).toBe(reason)
  clearInterval(awake)
})

import { transportTo, virtualClock } from '../../src/cli/manifest-tests/rehearsed-site.js'
import { send } from '../../src/client/connection.js'
import type { Route } from '../../src/client/route.js'
import type { Emulator } from '../../src/emulator/emulated-site.js'
import { parseBuiltInRules } from '../../src/emulator/faults/notation.js'
import { startEmulator } from '../../src/emulator/server.js'
import { createSiteInProcess } from '../../src/emulator/site.js'
import { virtualClock as jumpingClock } from '../support/virtual-clock.js'

let emulator: Emulator | undefined
afterEach(async () => {
  await emulator?.close()
  emulator = undefined
})

const basePath = '/gis/admin'

/** Polls a site once, over a socket or in this process, and returns the response. */
async function lookOver(way: 'a socket' | 'a transport', fault: string) {
  const faults = parseBuiltInRules([fault])
  const ask = async (url: string, route: Route) => {
    const { signal } = new AbortController()
    const limits = { deadlineMs: 20_000, maxAnswerBytes: 5000, signal }
    const reply = await send({ method: 'GET', url, path: '?f=json', ...limits, route })
    // undici's error for a connection that ended early is not deterministic.
    if (!reply.ok) return reply.error.kind === 'no-answer' ? 'no answer' : reply
    // Only a server has its own clock.
    const { answeredAtMs, ...answer } = reply.value
    expect(answeredAtMs).toEqual(route.transport === undefined ? expect.any(Number) : undefined)
    return answer
  }
  if (way === 'a socket') {
    const clock = jumpingClock()
    emulator = await startEmulator({ basePath, now: clock.now, wait: clock.sleep, faults })
    return ask(emulator.url, {})
  }
  const clock = virtualClock()
  const url = `http://gis.example.org${basePath}`
  return ask(url, { transport: transportTo(createSiteInProcess({ url, now: clock.now, faults }), clock) })
}

describe('a poll through a transport', () => {
  test.each([
    'configure=html',
    'root=drop-before',
    'root=drop-after',
    'root=reset-after',
    'root=html:502',
    'root=status:503,retry-after:7',
    'root=error:498,message:Invalid token.',
    'root=redirect:302,location:/login',
    'root=garbage',
    'root=wrong-shape',
    'root=truncate:20',
    'root=length:-10',
    'root=length:+10',
    'root=huge:1MiB',
    'root=huge:2KiB',
    'root=slow:100',
    'root=delay-before:3s',
    'root=delay-after:3s',
    'root=interim:3,every:1s',
    'root=duplicate-second',
    'site=message:hello',
  ])('gets the same result for %s as over a socket', async fault => {
    const over = await lookOver('a socket', fault)
    expect(await lookOver('a transport', fault)).toEqual(over)
  })
})

describe('a request that takes time', () => {
  const url = 'https://gis.example.org/admin'
  const asked = async (fault: string, deadlineMs: number) => {
    const clock = virtualClock()
    const site = createSiteInProcess({ url, now: clock.now, faults: parseBuiltInRules([fault]) })
    const { signal } = new AbortController()
    const route = { transport: transportTo(site, clock) }
    const reply = await send({ method: 'POST', url, path: '/configure', deadlineMs, signal, route })
    return { reply, clock, received: () => site.world().counters.configure.received }
  }
  const late = { ok: false, error: { kind: 'no-answer', reason: 'TIMEOUT' } }

  test('ends at its deadline if it is never answered', async () => {
    const { reply, clock } = await asked('configure=hang-after', 900_000)
    expect(reply).toEqual(late)
    expect(clock.monotonicMs()).toBe(900_000)
  })

  test('is carried out when it is due, even if its sender waits no longer', async () => {
    const { reply, clock, received } = await asked('configure=delay-before:20m', 900_000)
    expect(reply).toEqual(late)
    expect([clock.monotonicMs(), received()]).toEqual([900_000, 0])
    await clock.sleep(299_999, new AbortController().signal)
    expect(received()).toBe(0)
    await clock.sleep(1, new AbortController().signal)
    expect(received()).toBe(1)
  })
})

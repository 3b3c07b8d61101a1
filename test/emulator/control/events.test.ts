import type { Emulator, EmulatorOptions } from '../../../src/emulator/emulated-site.js'
import { startEmulator } from '../../../src/emulator/server.js'
import { listenTo } from '../../support/event-stream.js'
import { manualTimers } from '../../support/manual-timers.js'
import { begin, configureValues } from '../service/builders.js'

const running: Emulator[] = []
const listeners: { end(): void }[] = []
afterEach(async () => {
  for (const listener of listeners.splice(0)) listener.end()
  await Promise.all(running.splice(0).map(emulator => emulator.close()))
})

const start = async (options: EmulatorOptions = {}) => {
  const clock = { now: begin }
  const timers = manualTimers()
  const { every } = timers
  const emulator = await startEmulator({
    now: () => clock.now,
    every,
    stageMs: 1000,
    basePath: '/x',
    ...options,
  })
  running.push(emulator)
  const listen = async (query = '', headers = {}) => {
    const listener = await listenTo(`${new URL(emulator.url).origin}/_emulator/events${query}`, headers)
    listeners.push(listener)
    return listener
  }
  return { emulator, clock, timers, listen }
}

const configure = (url = '') => {
  const form = new FormData()
  for (const [name, value] of Object.entries(configureValues()))
    form.append(name, typeof value === 'string' ? value : new File([value], 'license.json'))
  return fetch(`${url}/configure`, { method: 'POST', body: form })
}

type Listener = Awaited<ReturnType<typeof listenTo>>
const words = async (listener: Listener, count: number) => {
  const told: string[] = []
  while (told.length < count) {
    const { event, data = '{}' } = await listener.next()
    const { site, name, state, through, operation, accepted } = JSON.parse(data)
    if (event === 'stage') told.push(`${site} ${name}: ${state}`)
    if (event === 'state') told.push(`${site} is ${state}, ${through} through`)
    if (event === 'request') told.push(`${site} ${operation} ${accepted ? 'accepted' : 'refused'}`)
    if (event === 'reset') told.push('reset')
  }
  return told
}

test('who comes anew is told to read the state, and then what happens', async () => {
  const { emulator, clock, timers, listen } = await start()
  const listener = await listen()
  expect(listener.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(await words(listener, 1)).toEqual(['reset'])
  await configure(emulator.url)
  await fetch(`${emulator.url}/exportSite`, { method: 'POST' })
  expect(await words(listener, 2)).toEqual(['/x configure accepted', '/x exportSite refused'])
  timers.fire('short')
  expect(await words(listener, 3)).toEqual([
    '/x License validation: in_progress',
    '/x Cloud Native Storage: not_applicable',
    '/x is in_progress, 1 through',
  ])
  clock.now += 1000
  timers.fire('short')
  expect(await words(listener, 3)).toEqual([
    '/x License validation: completed',
    '/x Configuration store: in_progress',
    '/x is in_progress, 2 through',
  ])
  clock.now += 60_000
  timers.fire('short')
  expect((await words(listener, 13)).at(-1)).toBe('/x is ready, 14 through')
})

test('a request carries what may be shown of it, and the counter of its operation', async () => {
  const { emulator, listen } = await start()
  const listener = await listen()
  await words(listener, 1)
  await configure(emulator.url)
  const { data = '' } = await listener.next()
  expect(JSON.parse(data)).toEqual({ ...emulator.requests[0], counter: { received: 1, accepted: 1 } })
  expect(data).not.toContain('correct-horse')
})

test('who comes back is told what was missed, even what happened while nobody listened', async () => {
  const { emulator, clock, timers, listen } = await start()
  const first = await listen()
  const { id = '' } = await first.next().then(() => first.next())
  first.end()
  await until(() => timers.count() === 0)
  await configure(emulator.url)
  clock.now += 1000
  const second = await listen('', { 'last-event-id': id })
  expect(await words(second, 4)).toEqual([
    '/x configure accepted',
    '/x License validation: completed',
    '/x Configuration store: in_progress',
    '/x Cloud Native Storage: not_applicable',
  ])
})

test.each(['x', '', 'RUN-99', 'RUN-', 'RUN--5', 'other-1', 'RUN-NaN'])(
  'who comes back with the event "%s", which never was, reads the state again',
  async lastEventId => {
    const { listen } = await start()
    const first = await listen()
    const { id = '' } = await first.next().then(() => first.next())
    const known = lastEventId.replace('RUN', id.split('-')[0] ?? '')
    expect(await words(await listen('', { 'last-event-id': known }), 1)).toEqual(['reset'])
  },
)

test('who was away for more than a thousand events reads the state again', async () => {
  const { emulator, listen } = await start()
  const first = await listen()
  const { id = '' } = await first.next().then(() => first.next())
  first.end()
  for (let batch = 0; batch < 21; batch += 1)
    await Promise.all(Array.from({ length: 50 }, async () => (await fetch(emulator.url)).text()))
  expect(await words(await listen('', { 'last-event-id': id }), 1)).toEqual(['reset'])
})

test('who asks for one site hears of the requests and stages of that one, and of the state of all', async () => {
  const { emulator, timers, listen } = await start({ sites: 2 })
  const listener = await listen('?site=/site-2/x')
  await words(listener, 1)
  for (const { url } of emulator.sites) await configure(url)
  timers.fire('short')
  expect(await words(listener, 5)).toEqual([
    '/site-2/x configure accepted',
    '/site-1/x is in_progress, 1 through',
    '/site-2/x License validation: in_progress',
    '/site-2/x Cloud Native Storage: not_applicable',
    '/site-2/x is in_progress, 1 through',
  ])
})

test('who comes back for one site is told what was missed of that one', async () => {
  const { emulator, listen } = await start({ sites: 2 })
  const first = await listen('?site=/site-2/x')
  const { id = '' } = await first.next().then(() => first.next())
  for (const { url } of emulator.sites) await fetch(url)
  const second = await listen('?site=/site-2/x', { 'last-event-id': id })
  expect(await words(second, 1)).toEqual(['/site-2/x root accepted'])
})

test('timers run only while somebody listens, and a sign of life comes when nothing else does', async () => {
  const { timers, listen } = await start()
  expect(timers.count()).toBe(0)
  const [one, other] = [await listen(), await listen()]
  expect(timers.count()).toBe(2)
  await words(one, 1)
  timers.fire('long')
  expect(await one.next()).toEqual({ comment: 'still here' })
  one.end()
  other.end()
  await until(() => timers.count() === 0)
})

test('thirty-two may listen, and the next one is told so', async () => {
  const { emulator, listen } = await start()
  for (let count = 0; count < 32; count += 1) await listen()
  const response = await fetch(`${new URL(emulator.url).origin}/_emulator/events`)
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ error: { message: 'Too many listeners: the limit is 32.' } })
})

test('closing ends those who listen', async () => {
  const { emulator, listen } = await start()
  const listener = await listen()
  await words(listener, 1)
  await emulator.close()
  await expect(listener.next()).rejects.toThrow()
})

async function until(holds: () => boolean): Promise<void> {
  const latest = Date.now() + 10_000
  while (!holds()) {
    if (Date.now() > latest) throw new Error('it never came to that')
    await new Promise(resolve => setImmediate(resolve))
  }
}

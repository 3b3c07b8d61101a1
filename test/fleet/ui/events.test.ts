import { connect } from 'node:net'
import { listenTo } from '../../support/event-stream.js'
import { aFleet, aRollout, aRun, aWorker, begin } from './a-fleet.js'
import { closePages, served } from './served.js'

afterEach(closePages)

const listeners: { end(): void }[] = []
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.end()
})

type Served = Awaited<ReturnType<typeof served>>

const listen = async ({ page }: Served, headers = {}) => {
  const listener = await listenTo(new URL('events', page.url).href, headers)
  listeners.push(listener)
  return listener
}
type Listener = Awaited<ReturnType<typeof listen>>

/** The next events, as what they are about. */
const reported = async (listener: Listener, count: number) => {
  const words: string[] = []
  while (words.length < count) {
    const { event, data = '{}', comment } = await listener.next()
    if (comment !== undefined) words.push(comment)
    else if (event !== undefined) words.push(`${event} ${wordsOf(JSON.parse(data))}`.trim())
  }
  return words
}
const wordsOf = (data: { readonly [name: string]: unknown }) =>
  [data['sites'], data['rollouts'], data['workers']]
    .flatMap(list => (list ?? []) as readonly Readonly<Record<string, unknown>>[])
    .map(
      ({ name, id, worker, state, isSilent }) =>
        `${name ?? id ?? worker} ${state ?? (isSilent ? 'silent' : 'alive')}`,
    )
    .concat('trouble' in data ? [JSON.stringify(data['trouble'])] : [])
    .join(', ')

/** As if seconds passed until the fleet was looked at again, and what came of it was told. */
const looked = async (world: Served) => {
  const before = world.fleet.looks.length
  world.second()
  while (world.fleet.looks.length === before) await new Promise(resolve => setImmediate(resolve))
  await new Promise(resolve => setImmediate(resolve))
}

test('who comes is told to read everything, and then what changes', async () => {
  const world = await served(aFleet([aRun(1, { state: 'running' }), aRun(2, { state: 'queued' })]))
  const listener = await listen(world)
  expect(listener.response.headers.get('content-type')).toBe('text/event-stream')
  expect(await reported(listener, 1)).toEqual(['reset'])
  world.fleet.put(aRun(1, { state: 'done' }))
  await looked(world)
  expect(await reported(listener, 2)).toEqual(['sites site-1 done', 'rollouts spring running'])
})

test('the clock of a worker alone is no news, and its end is', async () => {
  const world = await served()
  const listener = await listen(world)
  await reported(listener, 1)
  world.fleet.workers = [aWorker('worker-1', { beatAt: begin + 1000 })]
  await looked(world)
  world.fleet.now += 20_000
  await looked(world)
  expect(await reported(listener, 1)).toEqual(['workers worker-1 silent'])
})

test('a database that is away is told once, and once that it is back', async () => {
  const world = await served()
  const listener = await listen(world)
  await reported(listener, 1)
  world.fleet.trouble = 'ECONNREFUSED'
  await looked(world)
  await looked(world)
  world.fleet.trouble = undefined
  world.fleet.put(aRun(1))
  await looked(world)
  expect(await reported(listener, 4)).toEqual([
    'trouble {"message":"the database cannot be reached"}',
    'sites site-1 done',
    'rollouts spring running',
    'trouble null',
  ])
})

test('a look asks for what was written lately, and for everything once a minute and after a submission', async () => {
  const world = await served(aFleet([aRun(1)]))
  const listener = await listen(world)
  await reported(listener, 1)
  const { looks } = world.fleet
  expect(looks).toStrictEqual([undefined])
  await looked(world)
  expect(looks.slice(1)).toStrictEqual([begin - 10_000])
  world.fleet.rollouts = [aRollout('summer'), ...world.fleet.rollouts]
  await looked(world)
  expect(looks.slice(2)).toStrictEqual([begin - 9000, undefined])
  world.clock.now += 60_000
  await looked(world)
  expect(looks.slice(4)).toStrictEqual([undefined])
})

test('sites that a submission wrote long before it was complete are seen', async () => {
  const world = await served()
  const listener = await listen(world)
  await reported(listener, 1)
  world.fleet.now += 60_000
  world.fleet.rollouts = [aRollout('summer')]
  world.fleet.runs.set('late', aRun(7, { rollout: 'summer', changedAt: begin - 60_000 }))
  await looked(world)
  expect(await reported(listener, 1)).toEqual(['sites site-7 done'])
})

test('what is gone from the database is gone for who listens', async () => {
  const world = await served(aFleet([aRun(1), aRun(2)]))
  const listener = await listen(world)
  await reported(listener, 1)
  world.fleet.runs.delete(`${aRun(1).site} 1`)
  world.clock.now += 60_000
  await looked(world)
  expect(await reported(listener, 1)).toEqual(['reset'])
  const response = await fetch(new URL('api/fleet', world.page.url))
  expect(await response.json()).toMatchObject({ sites: [{ name: 'site-2' }], counts: { done: 1 } })
})

test('a run that comes later counts, and an earlier one that is written later does not', async () => {
  const world = await served(aFleet([aRun(1, { generation: 2, state: 'waiting' })]))
  const listener = await listen(world)
  await reported(listener, 1)
  world.fleet.put(aRun(1, { generation: 1, state: 'failed' }))
  world.fleet.put(aRun(1, { generation: 3, state: 'queued' }))
  await looked(world)
  expect(await reported(listener, 1)).toEqual(['sites site-1 queued'])
})

test('hundreds of changes are told in pieces, and thousands by reading everything', async () => {
  const world = await served(aFleet(Array.from({ length: 3000 }, (_, index) => aRun(index))))
  const listener = await listen(world)
  await reported(listener, 1)
  for (let number = 0; number < 250; number += 1) world.fleet.put(aRun(number, { state: 'failed' }))
  await looked(world)
  const pieces = await reported(listener, 4)
  expect(pieces.map(piece => piece.split(', ').length)).toEqual([100, 100, 50, 1])
  for (let number = 0; number < 3000; number += 1) world.fleet.put(aRun(number))
  await looked(world)
  expect(await reported(listener, 1)).toEqual(['reset'])
})

test('who comes back is told what was missed', async () => {
  const world = await served(aFleet([aRun(1)]))
  const first = await listen(world)
  await first.next()
  const { id = '' } = await first.next()
  const other = await listen(world)
  await reported(other, 1)
  first.end()
  world.fleet.put(aRun(1, { state: 'failed' }))
  await looked(world)
  await reported(other, 1)
  const second = await listen(world, { 'last-event-id': id })
  expect(await reported(second, 1)).toEqual(['sites site-1 failed'])
})

test('nobody looks while nobody listens, and one look serves all who do', async () => {
  const world = await served(aFleet([aRun(1)]))
  expect(world.timers.count()).toBe(0)
  const both = [await listen(world), await listen(world)] as const
  expect(world.timers.count()).toBe(2)
  await reported(both[0], 1)
  await looked(world)
  expect(world.fleet.looks).toHaveLength(2)
  world.timers.fire('long')
  for (const listener of both) while ((await reported(listener, 1))[0] !== 'still here');
  for (const listener of both) listener.end()
  while (world.timers.count() > 0) await new Promise(resolve => setImmediate(resolve))
})

test('who reads nothing between two heartbeats is cut off, and the others hear on', async () => {
  const world = await served(aFleet(Array.from({ length: 1500 }, (_, index) => aRun(index))))
  const { hostname, port } = new URL(world.page.url)
  const slow = connect(Number(port), hostname)
  slow.on('error', () => undefined)
  slow.write(`GET /events HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`)
  await new Promise(resolve => slow.once('data', resolve))
  slow.pause()
  const closed = new Promise(resolve => slow.once('close', resolve))
  const reader = await listen(world)
  await reported(reader, 1)
  const message = 'x'.repeat(2000)
  for (let turn = 0; turn < 6; turn += 1) {
    for (let number = 0; number < 1500; number += 1)
      world.fleet.put(aRun(number, { state: 'failed', message }))
    await looked(world)
    await reported(reader, 15)
  }
  for (let beat = 0; beat < 2; beat += 1) {
    world.timers.fire('long')
    while ((await reported(reader, 1))[0] !== 'still here');
  }
  slow.resume()
  await closed
  expect(world.timers.count()).toBe(2)
})

test('closing ends those who listen', async () => {
  const world = await served()
  const listener = await listen(world)
  await reported(listener, 1)
  await world.page.close()
  await expect(reported(listener, 9)).rejects.toThrow()
})

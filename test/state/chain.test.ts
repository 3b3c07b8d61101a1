import { type Append, appendAll, openChain } from '../../src/state/chain.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import type { Addition, StateBackend } from '../../src/state/series.js'
import { emptyContent, formatState } from '../../src/state/site-state.js'
import type { StateReply } from '../../src/state/state-failure.js'
import { statePortsFor } from '../support/some-state.js'

const ports = statePortsFor(() => 0)
const [site, other] = ['https://gis.example.org/arcgis/admin', 'https://maps.example.org/arcgis/admin']
const full = {
  ok: false,
  error: { kind: 'unwritable', where: 'memory', reason: { kind: 'system', message: 'full' } },
} as const

/** A first version in the chain of a site. */
const firstOf = (backend: StateBackend, address: string): Append => ({
  chain: openChain(backend, address, ports),
  after: undefined,
  entry: { type: 'released' },
  content: emptyContent,
})

/** Adds a number of versions, one after the other. */
async function chainOf(backend: StateBackend, length: number) {
  const { chain, entry, content } = firstOf(backend, site)
  for (let at = 0; at < length; at += 1) {
    const newest = await chain.newest()
    if (newest.ok) await chain.add(chain.build(newest.value, entry, content))
  }
  return chain
}

describe('versions of several chains', () => {
  const addTogether = (reply: StateReply<number>) => {
    const calls: (readonly Addition[])[] = []
    return {
      calls,
      async addTogether(additions: readonly Addition[]) {
        calls.push(additions)
        return reply
      },
    }
  }
  const both = () => {
    const backend = memoryBackend()
    return [firstOf(backend, site), firstOf(backend, other)]
  }

  test.each([0, 1, 2])(
    'are added with one call, and %i of them are returned if so many were',
    async value => {
      const place = addTogether({ ok: true, value })
      const added = await appendAll(place, both())
      const version = { serial: 1, text: expect.stringContaining('"released"'), title: 'released' }
      expect(place.calls).toEqual([
        [
          { site, version },
          { site: other, version },
        ],
      ])
      expect(added.ok && added.value.map(({ state }) => state.site)).toEqual([site, other].slice(0, value))
    },
  )

  test('are not added if that call fails', async () => {
    expect(await appendAll(addTogether(full), both())).toEqual(full)
  })

  test('need no such call if there is only one', async () => {
    const place = addTogether(full)
    const [one] = both()
    expect(await appendAll(place, one ? [one] : [])).toMatchObject({ ok: true, value: [{ state: { site } }] })
    expect(place.calls).toEqual([])
  })

  test('are added one by one in another place, up to the first number that is taken', async () => {
    const backend = memoryBackend()
    const [one, next] = [firstOf(backend, site), firstOf(backend, other)]
    expect(await appendAll(backend, [one, next])).toMatchObject({ value: [{ state: { site } }, {}] })
    const third = firstOf(backend, 'https://third.example.org/arcgis/admin')
    const again = await appendAll(backend, [third, one, next])
    expect(again.ok && again.value.map(({ state }) => state.site)).toEqual([
      'https://third.example.org/arcgis/admin',
    ])
  })
})

describe('the history of a chain', () => {
  /** A backend that returns every version, also if only the last ones are needed. */
  const generous = () => {
    const backend = memoryBackend()
    return {
      ...backend,
      series(address: string) {
        const series = backend.series(address)
        return { ...series, all: () => series.all() }
      },
    }
  }

  test.each<[number | undefined, readonly number[]]>([
    [undefined, [1, 2, 3]],
    [1, [3]],
    [2, [2, 3]],
    [5, [1, 2, 3]],
  ])('with the last %s versions has these, even if the place returns more', async (last, serials) => {
    const chain = await chainOf(generous(), 3)
    expect(await chain.history(({ serial }) => serial, last)).toEqual({ ok: true, value: serials })
  })

  test.each([1, 2, 3])('is damaged if version %i has another digest before it', async wrong => {
    const backend = memoryBackend()
    const chain = await chainOf(backend, wrong - 1)
    const newest = await chain.newest()
    if (!newest.ok) throw new Error(newest.error.kind)
    const { state } = chain.build(newest.value, { type: 'released' }, emptyContent)
    const text = formatState({ ...state, previous: `sha256:${'0'.repeat(64)}` })
    await backend.series(site).add({ serial: wrong, text })
    const reason = { kind: 'broken-chain', serial: wrong }
    expect(await chain.history()).toEqual({ ok: false, error: { kind: 'damaged', where: 'memory', reason } })
  })
})

import { openChain } from '../../src/state/chain.js'
import { emptyContent } from '../../src/state/site-state.js'
import { type StateServer, stateServers } from '../proofs/processes/state-server.js'
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.js'

const site = 'https://gis.example.org/arcgis/admin'
const ports = { now: () => Date.UTC(2026, 0, 1), nonce: () => 'a-nonce', tool: 'landform' }
const entry = { type: 'moved', site } as const

const open: StateServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
  await removeTemporaryFolders()
})

describe.each(Object.entries(stateServers))('a server of the kind %s', (kind, start) => {
  const made = { ok: true, value: true }
  const first = { serial: 1, text: '{"n":1}' }
  const second = { serial: 2, text: '{"n":2}' }
  const unwritable = (cause: string) => ({
    ok: false,
    error: { kind: 'unwritable', reason: { kind, cause } },
  })
  const serve = async () => {
    const server = await start(await temporaryFolder())
    open.push(server)
    return server
  }

  test.each(['ignoresConditions', 'confirmsAll'] as const)(
    'that %s is rejected before a version is written',
    async fault => {
      const server = await serve()
      server.faults[fault] = true
      expect(await server.open().series(site).add(first)).toMatchObject(unwritable('ignores-conditions'))
      // Both are requests of the probe.
      expect(server.requests.filter(line => /^(?:PUT|POST) /.test(line))).toHaveLength(2)
    },
  )

  test('that loses a write after confirming it is detected', async () => {
    const server = await serve()
    server.faults.loses = /000001(?:\.json)?$/
    expect(await server.open().series(site).add(first)).toMatchObject(unwritable('lost-write'))
  })

  test('may list versions late', async () => {
    const server = await serve()
    const series = server.open().series(site)
    for (const serial of [1, 2, 3, 4, 5])
      expect(await series.add({ serial, text: `${serial}` })).toEqual(made)
    for (const listsFirst of [0, 1, 2, 3, 4]) {
      server.faults.listsFirst = listsFirst
      const later = server.open().series(site)
      expect(await later.newest()).toEqual({ ok: true, value: { serial: 5, text: '5' } })
      expect(await later.add({ serial: 5, text: 'other' })).toEqual({ ok: true, value: false })
      const all = await later.all()
      expect(all.ok && all.value.map(({ text }) => text)).toEqual(['1', '2', '3', '4', '5'])
    }
  })

  test.each([kind === 'kubernetes' ? 'POST' : 'PUT', 'GET'])(
    'may lose the response to %s, and the version is found again',
    async method => {
      const server = await serve()
      const series = server.open().series(site)
      expect(await series.add(first)).toEqual(made)
      server.faults.cuts = { method, times: 1 }
      expect(await series.add(second)).toEqual(made)
      expect(server.faults.cuts.times).toBe(0)
      expect(await server.open().series(site).add(second)).toEqual({ ok: true, value: false })
      expect(await series.all()).toEqual({ ok: true, value: [first, second] })
    },
  )

  /** A server with one version, and the chain of a run that has not read it. */
  async function aServer() {
    const server = await serve()
    const chain = openChain(server.open(), site, ports)
    expect(await chain.add(chain.build(undefined, entry, emptyContent))).toEqual({ ok: true, value: true })
    const asked = server.requests.length
    return {
      server,
      chain: openChain(server.open(), site, ports),
      countRequests: () => server.requests.length - asked,
    }
  }
  const noListing = { s3: 'not-object-storage', azblob: 'not-blob-storage', kubernetes: 'not-kubernetes' }[
    kind
  ]

  test.each([
    ['the same token with every page', 'same token', 3],
    ['another token with every page', 'other tokens', 1000],
  ] as const)('that lists without end, with %s, is rejected', async (_what, listsForever, max) => {
    const { server, chain, countRequests } = await aServer()
    server.faults.listsForever = listsForever
    expect(await chain.newest()).toMatchObject({
      ok: false,
      error: { kind: 'unreadable', reason: { cause: noListing } },
    })
    expect(countRequests()).toBeLessThanOrEqual(max)
  })

  test.each([
    ['nothing', ''],
    ['a page', '<html>sign in</html>'],
    ['an object', '{}'],
  ])('that has %s under every name is read once', async (_what, findsAll) => {
    const { server, chain, countRequests } = await aServer()
    server.faults.findsAll = findsAll
    for (const read of [chain.newest, chain.history]) {
      const before = countRequests()
      expect(await read()).toMatchObject({ ok: false, error: { kind: 'damaged' } })
      // The listing, and the version in it.
      expect(countRequests() - before).toBe(2)
    }
  })

  test('that has the newest version under every name is read once more', async () => {
    const { server, chain, countRequests } = await aServer()
    const [text = ''] = await server.textsOf(site)
    server.faults.findsAll = text
    expect(await chain.newest()).toMatchObject({
      ok: false,
      error: { kind: 'damaged', reason: { kind: 'wrong-serial', serial: 2, found: 1 } },
    })
    expect(countRequests()).toBe(3)
  })

  test('that keeps a version without its text is detected when the version is written', async () => {
    const { server, chain } = await aServer()
    const newest = await chain.newest()
    server.faults.empties = /000002/
    const after = newest.ok ? newest.value : undefined
    expect(await chain.add(chain.build(after, entry, emptyContent))).toMatchObject({
      ok: false,
      error: { kind: 'unwritable', reason: { cause: 'lost-write' } },
    })
  })
})

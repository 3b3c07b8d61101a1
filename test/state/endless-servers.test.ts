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

describe.each(Object.entries(stateServers))('a server of kind %s', (kind, start) => {
  /** A server with one version, and the chain of a run that has not read it yet. */
  async function aServer() {
    const server = await start(await temporaryFolder())
    open.push(server)
    const chain = openChain(server.open(), site, ports)
    expect(await chain.add(chain.build(undefined, entry, emptyContent))).toEqual({ ok: true, value: true })
    const asked = server.requests.length
    return {
      server,
      chain: openChain(server.open(), site, ports),
      countRequests: () => server.requests.length - asked,
    }
  }
  const noListing = kind === 's3' ? 'not-object-storage' : 'not-kubernetes'

  test.each([
    ['the same token with every page', 'same token', 3],
    ['another token with every page', 'other tokens', 1000],
  ] as const)(
    'that lists without an end, with %s, is no place of state',
    async (_what, listsForever, max) => {
      const { server, chain, countRequests } = await aServer()
      server.faults.listsForever = listsForever
      expect(await chain.newest()).toMatchObject({
        ok: false,
        error: { kind: 'unreadable', reason: { cause: noListing } },
      })
      expect(countRequests()).toBeLessThanOrEqual(max)
    },
  )

  test.each([
    ['nothing', ''],
    ['a page', '<html>sign in</html>'],
    ['an object', '{}'],
  ])('that has %s under every name is asked for one version', async (_what, findsAll) => {
    const { server, chain, countRequests } = await aServer()
    server.faults.findsAll = findsAll
    for (const read of [chain.newest, chain.history]) {
      const before = countRequests()
      expect(await read()).toMatchObject({ ok: false, error: { kind: 'damaged' } })
      // The listing, and the version that it names.
      expect(countRequests() - before).toBe(2)
    }
  })

  test('that has the newest version under every name is asked for one more', async () => {
    const { server, chain, countRequests } = await aServer()
    const [text = ''] = await server.textsOf(site)
    server.faults.findsAll = text
    expect(await chain.newest()).toMatchObject({
      ok: false,
      error: { kind: 'damaged', reason: { kind: 'wrong-serial', serial: 2, found: 1 } },
    })
    expect(countRequests()).toBe(3)
  })

  test('that keeps a version without its text is caught as it is written', async () => {
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

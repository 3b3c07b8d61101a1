import type { Chain, Link } from '../../src/state/chain.js'
import {
  buildClaim,
  type Claim,
  compareName,
  findFormerSite,
  isSamePlace,
  openManifestChain,
  readClaim,
} from '../../src/state/claims.js'
import { memoryBackend } from '../../src/state/memory-backend.js'
import type { StateBackend } from '../../src/state/series.js'
import { emptyContent, type StateEntry } from '../../src/state/site-state.js'
import type { MovedTo } from '../../src/state/state-failure.js'
import { aSubmission } from '../support/a-submission.js'
import { keep } from '../support/kept-state.js'
import { someState, statePortsFor } from '../support/some-state.js'

const site = 'https://gis.example.org/arcgis/admin'
const maps = 'https://maps.example.org/arcgis/admin'
const ports = statePortsFor(() => 0)
const request = { nonce: 'a-request', generation: 1 }
const nothing = { ok: true, value: undefined } as const

const aChain = (): Chain => openManifestChain(memoryBackend(), 'sites:site.yaml', ports)
const linkOf = (entry: StateEntry): Link => aChain().build(undefined, entry, emptyContent)

test('only a pointer to an address is a claim', () => {
  const claim = { site, name: 'first', request, source: { state: 'file:before' } }
  expect(readClaim(undefined)).toBeUndefined()
  expect(readClaim(linkOf({ type: 'locked' }))).toBeUndefined()
  expect(readClaim(linkOf({ type: 'moved', state: 'file:elsewhere' }))).toBeUndefined()
  expect(readClaim(linkOf({ type: 'moved', ...claim }))).toMatchObject(claim)
})

const made: Claim = { site, name: 'first', request, source: { state: 'file:before' } }

test.each<[string, Partial<Claim>]>([
  ['another site', { site: maps }],
  ['another name', { name: 'second' }],
  ['another request', { request: { nonce: 'later', generation: 2 } }],
  ['another source', { source: { state: 'file:other' } }],
])('a claim is written again for %s', (_, change) => {
  const chain = aChain()
  const newest = linkOf({ type: 'moved', ...made })
  const claim = { ...made, ...change }
  const entry = { type: 'moved', ...claim }
  expect(buildClaim(chain, newest, claim)).toEqual([{ chain, after: newest, entry, content: emptyContent }])
})

test('a claim that the newest version makes is not written again', () => {
  for (const claim of [made, { site }, { site, request }, { site, name: 'first' }])
    expect(buildClaim(aChain(), linkOf({ type: 'moved', ...claim }), claim)).toEqual([])
  expect(buildClaim(aChain(), undefined, made)).toHaveLength(1)
})

test.each<[MovedTo | undefined, MovedTo | undefined, boolean]>([
  [undefined, undefined, true],
  [undefined, {}, false],
  [{}, undefined, false],
  [{}, {}, true],
  [{ site }, { site }, true],
  [{ site }, { site: maps }, false],
  [{ state: 'file:a' }, { state: 'file:a' }, true],
  [{ state: 'file:a' }, { state: 'file:b' }, false],
  [{ state: 'file:a', site }, { state: 'file:a' }, false],
])('%j and %j are the same place: %s', (one, other, is) => {
  expect(isSamePlace(one, other)).toBe(is)
})

test('a name belongs to one address, except that of an emulator', () => {
  const chain = aChain()
  const of = (claimed: string | undefined, url: string) =>
    compareName(chain, claimed === undefined ? undefined : { site: claimed }, { url, name: 'first' })
  expect(of(undefined, site)).toEqual(nothing)
  expect(of(site, site)).toEqual({ ok: true, value: { site } })
  expect(of('http://127.0.0.1:4000/admin', 'http://127.0.0.1:4001/admin')).toEqual(nothing)
  const reason = { kind: 'other-address', name: 'first', site: maps, url: site }
  expect(of(maps, site)).toEqual({
    ok: false,
    error: { kind: 'moved', where: 'memory', reason, to: { site: maps }, calledBy: site },
  })
})

describe('a site that the manifest declared before', () => {
  /** A place where the request of a site has an unknown outcome. */
  async function aPlace(url: string): Promise<StateBackend> {
    const backend = memoryBackend()
    const submission = aSubmission({ state: 'unknown' })
    await keep(
      someState(url, () => 0, backend),
      { submission },
    )
    return backend
  }
  const declared = { url: maps, name: 'second' }
  const find = (claim: Claim, backend: StateBackend) => findFormerSite(claim, declared, { backend, ports })

  test('is found by the claim of the manifest', async () => {
    const former = { name: 'first', site, where: 'memory' }
    expect(await find({ site, name: 'first' }, await aPlace(site))).toEqual({ ok: true, value: former })
  })

  test.each<[string, Claim]>([
    ['with the same name', { site, name: 'second' }],
    ['without a name', { site }],
  ])('is not another one %s', async (_, claim) => {
    expect(await find(claim, await aPlace(site))).toEqual(nothing)
  })

  test('is not another one at the same address', async () => {
    expect(await find({ site: maps, name: 'first' }, await aPlace(maps))).toEqual(nothing)
  })

  test('is not found if it has no versions', async () => {
    expect(await find({ site, name: 'first' }, memoryBackend())).toEqual(nothing)
  })

  test('is a failure if its state cannot be read', async () => {
    const reason = { kind: 'system', message: 'away' } as const
    const failed = { ok: false, error: { kind: 'unreadable', where: 'memory', reason } } as const
    const backend = memoryBackend()
    const away: StateBackend = {
      ...backend,
      series: url => ({ ...backend.series(url), newest: async () => failed }),
    }
    expect(await find({ site, name: 'first' }, away)).toEqual(failed)
  })
})

import { isDeepStrictEqual } from 'node:util'
import type { StateBackend, Version } from './series.js'

/** Opens the same place at each call, as several runs would. */
export type OpenPlace = () => Promise<StateBackend>

/** A reply of a backend that breaks a guarantee. */
export interface BackendViolation {
  /** The guarantee, such as `gives each number once`. */
  readonly guarantee: string
  readonly actual: unknown
  readonly expected: unknown
}

/** Makes the calls that test a guarantee on an empty place, and pairs each reply with the expected one. */
type Guarantee = (open: OpenPlace) => AsyncGenerator<readonly [actual: unknown, expected: unknown]>

const site = 'https://gis.example.org/arcgis/admin'
const added = { ok: true, value: true } as const
const taken = { ok: true, value: false } as const
const found = <T>(value: T) => ({ ok: true, value }) as const

const guarantees: Readonly<Record<string, Guarantee>> = {
  async *'begins empty, and leaves no gap'(open) {
    const series = (await open()).series(site)
    yield [await series.newest(), found(undefined)]
    yield [await series.all(), found([])]
    const early = await series.add({ serial: 2, text: 'too early' })
    yield [early.ok && early.value, false]
    yield [await series.newest(), found(undefined)]
  },
  async *'returns the text that was added, to every run'(open) {
    const runs = [(await open()).series(site), (await open()).series(site)] as const
    const texts = ['{"n":1}\n', 'ünï\r\n\0 \u{1f600}', '']
    const versions = texts.map((text, at): Version => ({ serial: at + 1, text }))
    for (const [at, version] of versions.entries()) {
      // The other run has not read what the first one added.
      yield [await runs[at % 2 === 0 ? 0 : 1].add(version), added]
      for (const series of runs) yield [await series.newest(), found(version)]
    }
    for (const series of runs) yield [await series.all(), found(versions)]
  },
  async *'gives each number once, also for the same text, and changes nothing'(open) {
    const [mine, theirs] = [(await open()).series(site), (await open()).series(site)]
    yield [await theirs.newest(), found(undefined)]
    yield [await mine.add({ serial: 1, text: 'same' }), added]
    yield [await theirs.add({ serial: 1, text: 'same' }), taken]
    yield [await mine.add({ serial: 1, text: 'other' }), taken]
    yield [await theirs.all(), found([{ serial: 1, text: 'same' }])]
  },
  async *'gives a number to one of several runs that ask at once'(open) {
    const runs = (await Promise.all([1, 2, 3, 4].map(open))).map(backend => backend.series(site))
    for (let serial = 1; serial <= 3; serial += 1) {
      const replies = await Promise.all(runs.map(series => series.add({ serial, text: 'the same for all' })))
      const sorted = replies.map(reply => reply.ok && Number(reply.value)).toSorted()
      yield [sorted, [0, 0, 0, 1]]
    }
  },
  async *'sorts by number, not by text'(open) {
    const series = (await open()).series(site)
    const versions = Array.from({ length: 12 }, (_, at): Version => ({ serial: at + 1, text: `${at}` }))
    for (const version of versions) yield [await series.add(version), added]
    yield [await series.newest(), found(versions.at(-1))]
    yield [await series.all(), found(versions)]
  },
  async *'keeps every series apart, whatever its address'(open) {
    const addresses = [
      site,
      'https://gis.example.org:7443/arcgis/admin',
      'https://gis.example.org/ARCGIS/admin',
      'http://[::1]:80/x',
      'https://..a..b./x',
      `https://${'long.'.repeat(40)}example.org/x`,
      'name://production',
      'file://manifest/site.yaml',
    ]
    const [backend, again] = [await open(), await open()]
    const first = (at: number): Version => ({ serial: 1, text: `first of ${at}` })
    for (const [at, address] of addresses.entries())
      yield [await backend.series(address).add(first(at)), added]
    yield [await backend.series(site).add({ serial: 2, text: 'second' }), added]
    for (const [at, address] of addresses.entries()) {
      const newest = at === 0 ? { serial: 2, text: 'second' } : first(at)
      yield [await again.series(address).newest(), found(newest)]
    }
  },
  async *'adds together in the given order, up to the first number that is taken'(open) {
    const backend = await open()
    if (backend.addTogether === undefined) return
    const one = (at: string, serial: number) => ({
      site: at,
      version: { serial, text: `${serial} of ${at}` },
    })
    const [first, second] = [one(site, 1), one('name://production', 1)]
    yield [await backend.addTogether([first, second]), found(2)]
    yield [await backend.addTogether([second, one(site, 2)]), found(0)]
    yield [await backend.series(site).newest(), found(first.version)]
  },
}

/**
 * Checks the guarantees that runs rely on: `add` excludes other runs, and every added version stays, unchanged.
 * `makePlace` makes an empty place at each call. Returns the first violation of each guarantee.
 */
export async function checkBackend(
  makePlace: () => Promise<OpenPlace>,
): Promise<readonly BackendViolation[]> {
  const violations: BackendViolation[] = []
  for (const [guarantee, show] of Object.entries(guarantees)) {
    try {
      for await (const [actual, expected] of show(await makePlace())) {
        if (isDeepStrictEqual(actual, expected)) continue
        violations.push({ guarantee, actual, expected })
        break
      }
    } catch (error) {
      violations.push({ guarantee, actual: error, expected: 'a reply, not an exception' })
    }
  }
  return violations
}

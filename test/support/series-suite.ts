import type { StateBackend } from '../../src/state/series.js'

/** Opens the same place as often as it is called, as several runs would. */
export type Place = () => Promise<StateBackend>

const site = 'https://gis.example.org/arcgis/admin'

const made = { ok: true, value: true }
const taken = { ok: true, value: false }

/** The tests that every kind of state has to pass. `place` makes an empty place. */
export function describeSeries(kind: StateBackend['kind'], place: () => Promise<Place>): void {
  describe(`a place of kind ${kind}`, () => {
    test('begins empty', async () => {
      const backend = await (await place())()
      expect(backend.kind).toBe(kind)
      expect(await backend.series(site).newest()).toEqual({ ok: true, value: undefined })
      expect(await backend.series(site).all()).toEqual({ ok: true, value: [] })
    })

    test('gives back what was added, to this run and to others', async () => {
      const open = await place()
      const mine = (await open()).series(site)
      const theirs = (await open()).series(site)
      const versions = ['{"n":1}\n', 'ünï\r\n\0 \u{1f600}', ''].map((text, at) => ({
        serial: at + 1,
        text,
      }))
      for (const version of versions) {
        expect(await mine.add(version)).toEqual(made)
        expect(await mine.newest()).toEqual({ ok: true, value: version })
        expect(await theirs.newest()).toEqual({ ok: true, value: version })
      }
      expect(await mine.all()).toEqual({ ok: true, value: versions })
      expect(await theirs.all()).toEqual({ ok: true, value: versions })
    })

    test('takes turns between runs that did not look before', async () => {
      const open = await place()
      const mine = (await open()).series(site)
      const theirs = (await open()).series(site)
      expect(await mine.add({ serial: 1, text: 'mine' })).toEqual(made)
      expect(await theirs.add({ serial: 2, text: 'theirs' })).toEqual(made)
      expect(await mine.add({ serial: 3, text: 'mine again' })).toEqual(made)
      expect(await theirs.newest()).toEqual({ ok: true, value: { serial: 3, text: 'mine again' } })
    })

    test('gives each number once, also for the same text, and keeps what was there', async () => {
      const open = await place()
      const mine = (await open()).series(site)
      const theirs = (await open()).series(site)
      expect(await theirs.newest()).toEqual({ ok: true, value: undefined })
      expect(await mine.add({ serial: 1, text: 'same' })).toEqual(made)
      expect(await theirs.add({ serial: 1, text: 'same' })).toEqual(taken)
      expect(await mine.add({ serial: 1, text: 'other' })).toEqual(taken)
      expect(await mine.add({ serial: 2, text: 'next' })).toEqual(made)
      expect(await theirs.add({ serial: 2, text: 'other' })).toEqual(taken)
      expect(await theirs.all()).toEqual({
        ok: true,
        value: [
          { serial: 1, text: 'same' },
          { serial: 2, text: 'next' },
        ],
      })
    })

    test('gives a number to one alone of many at once', async () => {
      const open = await place()
      const runs = (await Promise.all([1, 2, 3, 4].map(open))).map(backend => backend.series(site))
      for (let serial = 1; serial <= 3; serial += 1) {
        const replies = await Promise.all(
          runs.map(series => series.add({ serial, text: 'the same for all' })),
        )
        expect(replies.filter(reply => reply.ok && reply.value)).toHaveLength(1)
        expect(replies.filter(reply => reply.ok && !reply.value)).toHaveLength(runs.length - 1)
      }
    })

    test('leaves no gap', async () => {
      const backend = await (await place())()
      const series = backend.series(site)
      expect(await series.add({ serial: 2, text: 'too early' })).not.toEqual(made)
      expect(await series.newest()).toEqual({ ok: true, value: undefined })
      expect(await series.add({ serial: 1, text: 'first' })).toEqual(made)
      expect(await series.add({ serial: 3, text: 'too early' })).not.toEqual(made)
      expect(await series.all()).toEqual({ ok: true, value: [{ serial: 1, text: 'first' }] })
    })

    test('keeps more versions than one digit counts, in their order', async () => {
      const series = (await (await place())()).series(site)
      const versions = Array.from({ length: 12 }, (_, at) => ({ serial: at + 1, text: `${at}` }))
      for (const version of versions) expect(await series.add(version)).toEqual(made)
      expect(await series.newest()).toEqual({ ok: true, value: versions.at(-1) })
      expect(await series.all()).toEqual({ ok: true, value: versions })
    })

    test('keeps sites apart, and knows the newest of each', async () => {
      const open = await place()
      const sites = [
        'https://gis.example.org/arcgis/admin',
        'https://gis.example.org:7443/arcgis/admin',
        'https://gis.example.org/ARCGIS/admin',
        'http://[::1]:80/x',
        'https://..a..b./x',
        `https://${'long.'.repeat(40)}example.org/x`,
      ]
      const backend = await open()
      for (const [at, one] of sites.entries()) {
        expect(await backend.series(one).add({ serial: 1, text: `first of ${at}` })).toEqual(made)
      }
      expect(await backend.series(site).add({ serial: 2, text: 'second of 0' })).toEqual(made)
      const again = await open()
      for (const [at, one] of sites.entries())
        expect(await again.series(one).newest()).toMatchObject({
          value: { text: at === 0 ? 'second of 0' : `first of ${at}` },
        })
    })

    test('says where it is', async () => {
      const backend = await (await place())()
      expect(backend.where).toMatch(new RegExp(`^${kind}`))
      expect(backend.series(site).where).not.toBe('')
    })
  })
}

import { checkBackend, type OpenPlace } from '../../src/state/check-backend.js'
import type { StateBackend } from '../../src/state/series.js'

/** Defines the test that every kind of state backend must pass. `place` creates empty state. */
export function describeSeries(kind: StateBackend['kind'], place: () => Promise<OpenPlace>): void {
  test(`state of kind ${kind} keeps every guarantee of a backend`, async () => {
    expect(await checkBackend(place)).toEqual([])
    const backend = await (await place())()
    const series = backend.series('https://gis.example.org/admin')
    for (const serial of [1, 2, 3, 4]) await series.add({ serial, text: String(serial) })
    expect(await series.all(undefined, 2)).toEqual({
      ok: true,
      value: [
        { serial: 3, text: '3' },
        { serial: 4, text: '4' },
      ],
    })
    expect([backend.kind, backend.where]).toEqual([kind, expect.stringMatching(new RegExp(`^${kind}`))])
  })
}

import { checkBackend, type OpenPlace } from '../../src/state/check-backend.js'
import type { StateBackend } from '../../src/state/series.js'

/** The tests that every kind of state has to pass. `place` makes an empty place. */
export function describeSeries(kind: StateBackend['kind'], place: () => Promise<OpenPlace>): void {
  test(`a place of kind ${kind} keeps every guarantee of a backend`, async () => {
    expect(await checkBackend(place)).toEqual([])
    const backend = await (await place())()
    expect([backend.kind, backend.where]).toEqual([kind, expect.stringMatching(new RegExp(`^${kind}`))])
  })
}

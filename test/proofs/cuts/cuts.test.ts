import { complaint, cutCalls } from './cut-calls.js'

const calls = await cutCalls()

afterAll(calls.close)

/** A few bytes at both ends, and some between. */
function someOf(length: number): readonly number[] {
  const between = [1, 2, 3].map(quarter => Math.floor((length * quarter) / 4))
  return [0, 1, ...between, length - 2, length - 1]
}

// Every byte is cut by `npm run verify -- cuts --full`.
test.each([
  ['configure', 'request'],
  ['configure', 'answer'],
  ['look', 'request'],
  ['look', 'answer'],
] as const)(
  '%s whose %s is cut leaves in doubt what became of it, and is not sent again',
  async (call, of) => {
    const lengths = await calls.lengthsOf(call)
    expect(lengths[of]).toBeGreaterThan(100)
    const complaints: string[] = []
    for (const afterBytes of someOf(lengths[of]))
      for (const how of ['FIN', 'RST'] as const) {
        const said = complaint(await calls.made(call, { of, afterBytes, how }))
        if (said !== undefined) complaints.push(said)
      }
    expect(complaints).toEqual([])
  },
)

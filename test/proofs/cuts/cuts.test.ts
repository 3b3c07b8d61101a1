import { cutCalls, judgeCut } from './cut-calls.js'

const calls = await cutCalls()

afterAll(calls.close)

/** Selects a few bytes at both ends, and some between. */
function someOf(length: number): readonly number[] {
  const between = [1, 2, 3].map(quarter => Math.floor((length * quarter) / 4))
  return [0, 1, ...between, length - 2, length - 1]
}

// `npm run verify -- cuts --full` cuts at every byte.
test.each([
  ['configure', 'request'],
  ['configure', 'answer'],
  ['poll', 'request'],
  ['poll', 'answer'],
] as const)('a %s with a cut %s is not sent again, and its outcome is unknown', async (call, of) => {
  const lengths = await calls.lengthsOf(call)
  expect(lengths[of]).toBeGreaterThan(100)
  const violations: string[] = []
  for (const afterBytes of someOf(lengths[of]))
    for (const how of ['FIN', 'RST'] as const)
      violations.push(...judgeCut(await calls.made(call, { of, afterBytes, how })))
  expect(violations).toEqual([])
})

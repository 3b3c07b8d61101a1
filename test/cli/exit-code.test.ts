import { type ExitCode, exitCodes, severityOrder, worstExitCode } from '../../src/report/exit-code.js'

test('every exit code of a site is ranked exactly once', () => {
  const { usage: _, brokenPipe: __, ...ofSites } = exitCodes
  expect([...severityOrder].sort()).toEqual(Object.values(ofSites).sort())
})

test.each<[readonly ExitCode[], ExitCode]>([
  [[], 0],
  [[0, 0], 0],
  [[0, 3], 3],
  [[0, 2, 0], 2],
  [[3, 5, 75], 5],
  [[5, 4, 65], 4],
  [[130, 3], 130],
  [[4, 70], 70],
])('of %j the worst is %i', (codes, expected) => {
  expect(worstExitCode(codes)).toBe(expected)
})

test('a single nonzero code is never lost', () => {
  for (const code of severityOrder) expect(worstExitCode([0, code, 0])).toBe(code)
})

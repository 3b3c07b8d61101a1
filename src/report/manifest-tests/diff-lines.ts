import type { ValueDifference } from '../../manifest-tests/compare.js'
import { display } from '../display.js'
import type { Paint } from '../paint.js'

/** Longer differences are not read. */
const maxLines = 40

/** Formats expected and actual lines as a small diff: common lines at the beginning and the end appear once. */
export function formatDiff({ expected, actual }: ValueDifference, paint: Paint): readonly string[] {
  const shortest = Math.min(expected.length, actual.length)
  const same = (a: number, b: number) => expected.at(a) === actual.at(b)
  let begin = 0
  while (begin < shortest && same(begin, begin)) begin += 1
  let end = 0
  while (end < shortest - begin && same(-1 - end, -1 - end)) end += 1
  const markLines = (sign: string, lines: readonly string[]) => lines.map(line => `${sign} ${display(line)}`)
  const all = [
    ...markLines(' ', expected.slice(0, begin)),
    ...markLines('-', expected.slice(begin, expected.length - end)).map(line => paint('red', line)),
    ...markLines('+', actual.slice(begin, actual.length - end)).map(line => paint('green', line)),
    ...markLines(' ', expected.slice(expected.length - end)),
  ]
  const rest = all.length - maxLines
  return rest > 0 ? [...all.slice(0, maxLines), `… and ${rest} more lines`] : all
}

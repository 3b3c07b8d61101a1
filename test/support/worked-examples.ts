/** A worked example of CONTRIBUTING.md: a diff, and the tests that pass after it. */
export interface WorkedExample {
  readonly name: string
  readonly diff: string
  /** Arguments for Jest. */
  readonly tests: readonly string[]
  /** The files that the diff changes. */
  readonly files: readonly string[]
}

/** Finds the examples of a page: each is a comment `<!-- example: NAME; tests: PATTERNS -->` and the diff after it. */
export function workedExamples(page: string): readonly WorkedExample[] {
  const blocks = page.matchAll(/^<!-- example: (\S+); tests: (.+) -->\n\n```diff\n([\s\S]*?)^```$/gm)
  return [...blocks].map(([, name = '', tests = '', diff = '']) => ({
    name,
    diff,
    tests: tests.split(' '),
    files: [...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file),
  }))
}

/** Updates the line numbers of a diff to those in the output of `git apply --verbose`. */
export function moveHunks(diff: string, printed: string): string {
  const offsets = new Map<string, number>()
  let file = ''
  for (const line of printed.split('\n')) {
    file = /^Checking patch (.+)\.\.\.$/.exec(line)?.[1] ?? file
    const [, hunk = '', lines] = /^Hunk #(\d+) .*\(offset (-?\d+) /.exec(line) ?? []
    if (lines !== undefined) offsets.set(`${file} ${hunk}`, Number(lines))
  }
  let hunk = 0
  const moved = diff.split('\n').map(line => {
    const [, next] = /^\+\+\+ b\/(.+)$/.exec(line) ?? []
    if (next !== undefined) [file, hunk] = [next, 0]
    return line.replace(/^@@ -(\d+),(\d+) \+(\d+),/, (_, before, length, after) => {
      hunk += 1
      const lines = offsets.get(`${file} ${hunk}`) ?? 0
      return `@@ -${Number(before) + lines},${length} +${Number(after) + lines},`
    })
  })
  return moved.join('\n')
}

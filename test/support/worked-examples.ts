/** A worked example of CONTRIBUTING.md: edits, and the tests that hold afterwards. */
export interface WorkedExample {
  readonly name: string
  readonly diff: string
  /** What Jest is asked to run. */
  readonly tests: readonly string[]
  /** The files that the edits touch. */
  readonly files: readonly string[]
}

/** The examples of the page: `<!-- example: NAME; tests: PATTERNS -->`, and the next block of edits. */
export function workedExamples(page: string): readonly WorkedExample[] {
  const blocks = page.matchAll(/^<!-- example: (\S+); tests: (.+) -->\n\n```diff\n([\s\S]*?)^```$/gm)
  return [...blocks].map(([, name = '', tests = '', diff = '']) => ({
    name,
    diff,
    tests: tests.split(' '),
    files: [...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file),
  }))
}

/** The same diff with the line numbers at which its hunks were applied, as `git apply --verbose` prints them. */
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

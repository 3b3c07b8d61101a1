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

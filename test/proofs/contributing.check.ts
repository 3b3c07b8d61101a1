import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/manifests.js'
import { scratchCopy } from '../support/scratch-copy.js'
import { type CheckRun, declareCheck } from './check.js'
import { type WorkedExample, workedExamples } from './contributing/worked-examples.js'

/**
 * Makes the worked examples of CONTRIBUTING.md in a scratch copy, each by itself: applies the edits, generates, compiles, and
 * runs the tests that the page names. As in the folder of a contributor, an earlier build is there. The short form makes one
 * of them.
 */
export const check = declareCheck({
  name: 'contributing',
  shows: 'The worked examples in CONTRIBUTING.md work exactly as written.',
  counts: { examples: [1, 2], 'controls found': [2, 4] },
  planted: 'controls found',
  short: 'ci',
  gate: 'change',
  /** The name of one example; nothing stands for all. */
  figures: { example: ['version', ''] },
  async run(run) {
    const { example: wanted } = run.figures
    const examples = workedExamples(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')).filter(
      ({ name }) => wanted === '' || name === wanted,
    )
    if (examples.length === 0) throw new Error(`CONTRIBUTING.md has no example ${wanted}`)
    for (const example of examples) {
      const problem = problemOf(run, example)
      run.count('examples')
      if (problem === undefined) run.say(`${example.name}: ${example.files.length} files, and its tests pass`)
      else run.violation(`${example.name}: ${problem}`)
    }
  },
})

type Command = readonly [program: string, ...words: readonly string[]]

/** Follows an example, and finds what is wrong with it; `undefined` for nothing. */
function problemOf(run: CheckRun, { diff, tests }: WorkedExample): string | undefined {
  const scratch = scratchCopy('contributing', { withBuild: true })
  writeFileSync(join(scratch, 'example.diff'), diff)
  const edit: Command = ['git', 'apply', '--recount', '-C1', 'example.diff']
  for (const step of [edit, ['npm', 'run', '--silent', 'generate'], jest(tests)] satisfies Command[]) {
    const problem = problemWith(step, scratch)
    if (problem !== undefined) return problem
  }
  // An edit that fits no more, and tests that are not there, are no way to follow the page.
  for (const wrong of [edit, jest(['there-is-no-such-test'])])
    if (problemWith(wrong, scratch) !== undefined) run.count('controls found')
  return undefined
}

function jest(tests: readonly string[]): Command {
  return ['npm', 'test', '--', ...tests]
}

function problemWith([program, ...words]: Command, cwd: string): string | undefined {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' })
  return status === 0 ? undefined : `${program} ${words.join(' ')} ended with ${status}\n${stdout}${stderr}`
}

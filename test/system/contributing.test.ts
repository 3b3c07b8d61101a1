import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasGit } from '../support/git-repositories.js'
import { root } from '../support/manifests.js'
import { scratchCopy } from '../support/scratch-copy.js'
import { workedExamples } from '../support/worked-examples.js'

const timeoutMs = 600_000

/** Runs a command in a folder, and gives its end and last lines. */
function run(folder: string, program: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' })
  return { status, said: status === 0 ? '' : `${stdout}${stderr}`.slice(-3000) }
}

const testWhereGit = hasGit ? test : test.skip
const examples = workedExamples(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))

testWhereGit.each(examples.map(example => [example.name, example] as const))(
  'the worked example of a %s fits the code, and its tests pass',
  (_, { diff, tests }) => {
    const scratch = scratchCopy('contributing', { withBuild: true })
    writeFileSync(join(scratch, 'example.diff'), diff)
    for (const [program, ...words] of [
      ['git', 'apply', '--recount', '-C1', 'example.diff'],
      ['npm', 'run', '--silent', 'generate'],
      ['npm', 'test', '--', ...tests],
    ] as const)
      expect(run(scratch, program, ...words)).toEqual({ status: 0, said: '' })
    rmSync(scratch, { recursive: true })
  },
  timeoutMs,
)

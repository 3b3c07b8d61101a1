import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { hasGit } from '../support/git-repositories.js'
import { root } from '../support/manifests.js'
import { scratchCopy } from '../support/scratch-copy.js'
import { testWhere } from '../support/test-where.js'
import { workedExamples } from '../support/worked-examples.js'

/** Runs a command in a folder. Returns its exit code and last lines. */
function run(folder: string, program: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' })
  return { status, said: status === 0 ? '' : `${stdout}${stderr}`.slice(-3000) }
}

const passed = { status: 0, said: '' }
const examples = workedExamples(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))

testWhere(hasGit, 'git')('the worked examples apply to the code together, and their tests pass', () => {
  const scratch = scratchCopy('contributing', { withBuild: true })
  for (const { name, diff } of examples) {
    writeFileSync(join(scratch, 'example.diff'), diff)
    expect([name, run(scratch, 'git', 'apply', '--recount', '-C1', 'example.diff')]).toEqual([name, passed])
  }
  // Generated files must be creatable without older ones. The check `artifacts` compares them with the sources.
  const generated = globSync('{src,packages}/**/{generated/**/*,generated}.ts', { cwd: scratch })
  expect(generated.length).toBeGreaterThan(10)
  for (const path of generated) rmSync(join(scratch, path))
  expect(run(scratch, 'npm', 'run', '--silent', 'generate')).toEqual(passed)
  expect(generated.filter(path => !existsSync(join(scratch, path)))).toEqual([])
  const tests = [...new Set(['schema/artifacts', ...examples.flatMap(example => example.tests)])]
  expect(run(scratch, 'npm', 'test', '--', ...tests, '--selectProjects', 'unit')).toEqual(passed)
  rmSync(scratch, { recursive: true })
})

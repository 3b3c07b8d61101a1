import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { hasGit } from '../support/git-repositories.js'
import { root } from '../support/manifests.js'
import { scratchCopy } from '../support/scratch-copy.js'
import { moveHunks, workedExamples } from '../support/worked-examples.js'

const timeoutMs = 600_000
/** Rewrites the line numbers of the examples, which change with every edit above them. */
const rewritesGoldens = process.env['UPDATE_GOLDEN'] === '1'

/** Runs a command in a folder, and gives its end and last lines. */
function run(folder: string, program: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' })
  return { status, said: status === 0 ? '' : `${stdout}${stderr}`.slice(-3000), stderr }
}

const passed = { status: 0, said: '' }
const page = join(root, 'CONTRIBUTING.md')
const testWhereGit = hasGit ? test : test.skip
const examples = workedExamples(readFileSync(page, 'utf8'))

testWhereGit(
  'the worked examples fit the code together, and their tests pass',
  () => {
    const scratch = scratchCopy('contributing', { withBuild: true })
    const offsets: string[] = []
    for (const { name, diff } of examples) {
      writeFileSync(join(scratch, 'example.diff'), diff)
      const applied = run(scratch, 'git', 'apply', '--recount', '-C1', '--verbose', 'example.diff')
      expect({ name, ...applied }).toMatchObject({ name, ...passed })
      const exact = moveHunks(diff, applied.stderr)
      if (exact !== diff) offsets.push(`${name}: ${applied.stderr.match(/^Hunk.*offset.*$/gm)}`)
      if (rewritesGoldens)
        writeFileSync(
          page,
          readFileSync(page, 'utf8').replace(diff, () => exact),
        )
    }
    expect(rewritesGoldens ? [] : offsets).toEqual([])
    // What is generated is generated from nothing; `artifacts` compares it with the sources.
    const generated = globSync('{src,packages}/**/{generated/**/*,generated}.ts', { cwd: scratch })
    expect(generated.length).toBeGreaterThan(10)
    for (const path of generated) rmSync(join(scratch, path))
    expect(run(scratch, 'npm', 'run', '--silent', 'generate')).toMatchObject(passed)
    expect(generated.filter(path => !existsSync(join(scratch, path)))).toEqual([])
    const tests = [...new Set(['schema/artifacts', ...examples.flatMap(example => example.tests)])]
    expect(run(scratch, 'npm', 'test', '--', ...tests, '--selectProjects', 'unit')).toMatchObject(passed)
    rmSync(scratch, { recursive: true })
  },
  timeoutMs,
)

// Makes the worked examples of CONTRIBUTING.md in a scratch copy, each by itself: applies the edits, generates, compiles, and
// runs the tests that the page names. `npm run verify:contributing [-- --example NAME]`; the short form makes one of them.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workedExamples } from '../../dist/test/proofs/contributing/worked-examples.js'
import { scratchCopy } from '../scratch-copy.mjs'
import { complain, conclude, count, figures, say } from './check.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { example: wanted } = figures({ example: ['version', ''] })
const examples = workedExamples(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')).filter(
  ({ name }) => wanted === '' || name === wanted,
)
if (examples.length === 0) throw new Error(`CONTRIBUTING.md has no example ${wanted}`)

for (const example of examples) {
  const complaint = made(example)
  count('examples')
  complain(example.name, complaint === undefined ? [] : [complaint])
  if (complaint === undefined) say(`${example.name}: ${example.files.length} files, and its tests pass`)
}
conclude()

/** What is wrong with an example; `undefined` for nothing. */
function made({ diff, tests }) {
  const scratch = scratchCopy('contributing')
  writeFileSync(join(scratch, 'example.diff'), diff)
  const edit = ['git', 'apply', '--recount', '-C1', 'example.diff']
  const steps = [edit, ['npm', 'run', '--silent', 'generate'], jest(tests)]
  for (const step of steps) {
    const complaint = done(step, scratch)
    if (complaint !== undefined) return complaint
  }
  // What fits no more, and tests that are not there, are no way to follow the page.
  for (const wrong of [edit, jest(['there-is-no-such-test'])])
    if (done(wrong, scratch) !== undefined) count('controls found')
  return undefined
}

function jest(tests) {
  return ['npm', 'run', '--silent', 'jest', '--', ...tests]
}

function done([program, ...words], cwd) {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, encoding: 'utf8' })
  return status === 0 ? undefined : `${program} ${words.join(' ')} ends with ${status}\n${stdout}${stderr}`
}

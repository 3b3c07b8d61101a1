// Makes the worked examples of CONTRIBUTING.md in a scratch copy, each by itself: applies the edits, generates, compiles, and
// runs the tests that the page names. `npm run verify:contributing [-- --example NAME]`; the short form makes one of them.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workedExamples } from '../../dist/test/contributing/worked-examples.js'
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
  const steps = [
    ['git', 'apply', '--recount', '-C1', 'example.diff'],
    ['npm', 'run', '--silent', 'generate'],
    ['npm', 'run', '--silent', 'jest', '--', ...tests],
  ]
  for (const [program, ...words] of steps) {
    const { status, stdout, stderr } = spawnSync(program, words, { cwd: scratch, encoding: 'utf8' })
    if (status !== 0) return `${program} ${words.join(' ')} ends with ${status}\n${stdout}${stderr}`
  }
  return undefined
}

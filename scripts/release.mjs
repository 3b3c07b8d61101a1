// Prepares a release: builds, packs, and creates the commit for its tag. `npm run release` only reports what is not ready; `npm
// run release -- --tag` creates the tag. Nothing is pushed or published: see docs/releasing.md.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { git } from './release/git.mjs'
import { problems } from './release/problems.mjs'
import { tagCommit } from './release/tag-commit.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const words = process.argv.slice(2)
if (words.some(word => word !== '--tag')) stop(['usage: npm run release [-- --tag]'])
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const forReal = words.includes('--tag')

run([join(root, 'scripts', 'make-ready.mjs'), '--build'])
// After the build, because the build must not change committed files.
const found = problems(root)
if (forReal && found.length > 0) stop(found)
run([join(root, 'scripts', 'pack.mjs')])
const commit = tagCommit(root, tryIt)
say(`the commit ${commit} contains v${version}, and runs without an installation`)
for (const one of found) say(`NOT READY  ${one}`)
if (forReal) {
  git(root, ['tag', '--annotate', '--message', `Landform ${version}`, `v${version}`, commit])
  say(`created the tag v${version}; to publish it: git push origin v${version}`)
} else say(`created no tag; to create it: npm run release -- --tag`)

/** Tests that the content of the tag works without an installation. */
function tryIt(folder) {
  const program = join(folder, 'dist', 'bin', 'landform.cjs')
  const printed = spawnSync(process.execPath, [program, '--version'], { encoding: 'utf8' }).stdout.trim()
  if (printed !== version) stop([`the program in the tag has version ${printed}, package.json ${version}`])
  const example = join('examples', 'quickstart.yaml')
  const { status, stderr } = spawnSync(process.execPath, [program, 'validate', example], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) stop([`the program in the tag does not run: ${stderr}`])
}

function run(command) {
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

function say(line) {
  process.stdout.write(`${line}\n`)
}

function stop(lines) {
  for (const line of lines) process.stderr.write(`error: ${line}\n`)
  process.exit(1)
}

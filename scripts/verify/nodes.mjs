// Installs the package as users do, once for each Node that it promises to run on, and uses it: `npm run verify:nodes [--
// [--tests] [NODE…]]`. Nodes are versions or paths; without any it is the oldest, and the newest of each line. `--tests`
// runs all tests under each, not only those of the library. Ends with 1 where anything does not work.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installInto, installTogether, packedInto } from '../../dist/test/support/install-package.js'
import { usePackage } from '../../dist/test/support/use-package.js'
import { nodeOf, versionOf } from '../other-nodes.mjs'
import { complain, conclude, count, figures, say, scratchFolder, skip } from './check.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const {
  tests: everyTest,
  nodes,
  words,
} = figures({
  tests: [false, false],
  nodes: ['24', `${process.execPath},20.19,22,24`],
})
const wanted = words.length > 0 ? words : nodes.split(',')
const quick = ['dist/test/library/', 'dist/test/index', 'dist/test/cli/launch', 'dist/test/client/http']

const folder = scratchFolder()

const [tarball, fleet] = await packedInto(root, folder)
const together = [tarball, fleet, ...(await packedNeeds())]
const tried = new Set()
for (const word of wanted) {
  const node = word.includes('/') ? word : nodeOf(word)
  const version = node === undefined ? undefined : versionOf(node)
  if (version === undefined)
    skip(`Node ${word}, which is not here and could not be brought: NOT VERIFIED`, 'nodes')
  else if (!tried.has(version)) {
    tried.add(version)
    await verify(node, version)
  }
}
if (tried.size === 0) complain('no Node', ['nothing was verified'])
conclude()

async function verify(node, version) {
  count('nodes')
  const place = join(folder, version)
  await installInto(place, root, tarball)
  const used = await usePackage(node, place)
  count('uses', used.size)
  const results = [...used, await useFleet(node, version), ...tests(node)]
  const marks = results.map(([name, what]) => `${name} ${what === undefined ? 'ok' : 'WRONG'}`)
  say(`${version.padEnd(10)}${marks.join('  ')}`)
  const wrong = results.filter(([, what]) => what !== undefined)
  complain(
    version,
    wrong.map(([name, what]) => `${name} ${what}`),
  )
  if (await isFoundBroken(node, place)) count('broken packages found')
}

/** What the package for fleets needs of npm, from what is installed here, so that no registry is asked. */
async function packedNeeds() {
  const lock = JSON.parse(readFileSync(join(root, 'packages/fleet/dist/locked/package-lock.json'), 'utf8'))
  const paths = Object.keys(lock.packages).filter(path => path !== '')
  const place = join(folder, 'needs')
  mkdirSync(place)
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', place]
  spawnSync('npm', [...words, ...paths.map(path => `./${path}`)], { cwd: root })
  return readdirSync(place).map(name => join(place, name))
}

/** The package for fleets beside the program: what it lacks is a database, and no package. */
async function useFleet(node, version) {
  const place = join(folder, `${version}-fleet`)
  await installTogether(place, together)
  const program = join(place, 'node_modules/.bin/landform')
  const { PATH, HOME } = process.env
  const { status, stderr } = spawnSync(node, [program, 'fleet', 'status'], {
    cwd: place,
    env: { PATH, HOME },
    encoding: 'utf8',
  })
  count('uses')
  const fits = status === 66 && stderr.includes('LANDFORM_DATABASE_URL')
  return ['fleet', fits ? undefined : `ended with ${status}: ${stderr}`]
}

/** A package without its library and its schemas. */
async function isFoundBroken(node, place) {
  for (const part of ['dist/lib', 'schemas'])
    rmSync(join(place, 'node_modules/landform', part), { recursive: true })
  const wrong = [...(await usePackage(node, place))].filter(([, what]) => what !== undefined)
  return ['require', 'schema', 'library'].every(use => wrong.some(([name]) => name === use))
}

/** Jest under that Node, also for all that the tests start. */
function tests(node) {
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), ...(everyTest ? [] : quick)]
  const { status, stdout, stderr } = spawnSync(
    node,
    ['--experimental-vm-modules', '--no-warnings', ...jest],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` },
    },
  )
  const failed = `${stdout}${stderr}`.split('\n').filter(line => line.includes('●'))
  const counted = /^\d+ passed, .*/m.exec(stdout)?.[0] ?? 'no tests'
  return [[`tests (${counted})`, status === 0 ? undefined : `failed: ${[...new Set(failed)].join('; ')}`]]
}

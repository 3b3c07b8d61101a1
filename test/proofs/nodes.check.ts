import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installInto, installTogether, packedInto } from '../support/install-package.js'
import { root } from '../support/manifests.js'
import { nodeOf, versionOf } from '../support/other-nodes.js'
import { usePackage } from '../support/use-package.js'
import { type CheckRun, declareCheck } from './check.js'

/**
 * Installs the package as users do, once for each Node that it promises to run on, and uses it. Words are versions of Node,
 * or paths; without any, the full form takes the oldest and the newest of each line.
 */
export const check = declareCheck({
  name: 'nodes',
  shows: 'The packages, installed as users do, work under each supported Node version.',
  counts: { nodes: [1, 3], uses: [9, 27], 'broken packages found': [1, 3] },
  planted: 'broken packages found',
  short: 'release',
  gate: 'change',
  figures: {
    /** Every test under each Node, not only those of the library. */
    tests: [false, false],
    nodes: ['24', `${process.execPath},20.19,22,24`],
  },
  async run(run) {
    const folder = run.scratchFolder()
    const packed = await packProducts(folder)
    const tried = new Set<string>()
    for (const word of run.words.length > 0 ? run.words : run.figures.nodes.split(',')) {
      const node = word.includes('/') ? word : nodeOf(word)
      const version = node === undefined ? undefined : versionOf(node)
      if (node === undefined || version === undefined)
        run.skip(`Node ${word}, which is not here and could not be brought: NOT VERIFIED`, 'nodes')
      else if (!tried.has(version)) {
        tried.add(version)
        await tryNode(run, { node, version, folder, packed, isEveryTest: run.figures.tests })
      }
    }
    if (tried.size === 0) run.violation('no Node: nothing was verified')
  },
})

/** The tarballs of what is published, and of what it needs. */
interface Packed {
  readonly program: string
  /** The program, the package for fleets, and what that needs of npm. */
  readonly together: readonly string[]
}

interface Tried {
  readonly node: string
  readonly version: string
  readonly folder: string
  readonly packed: Packed
  readonly isEveryTest: boolean
}

/** Something that was tried, and what was wrong with it. */
type Outcome = readonly [name: string, problem: string | undefined]

async function packProducts(folder: string): Promise<Packed> {
  const [program, fleet] = await packedInto(root, folder)
  if (program === undefined || fleet === undefined) throw new Error('two packages were to be packed')
  return { program, together: [program, fleet, ...packNeeds(join(folder, 'needs'))] }
}

/** Packs what the package for fleets needs of npm, from what is installed here, so that no registry is asked. */
function packNeeds(place: string): readonly string[] {
  const lockFile = join(root, 'packages/fleet/dist/locked/package-lock.json')
  const lock: { readonly packages: object } = JSON.parse(readFileSync(lockFile, 'utf8'))
  const paths = Object.keys(lock.packages).filter(path => path !== '')
  mkdirSync(place)
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', place]
  spawnSync('npm', [...words, ...paths.map(path => `./${path}`)], { cwd: root })
  return readdirSync(place).map(name => join(place, name))
}

async function tryNode(run: CheckRun, tried: Tried): Promise<void> {
  const { node, version, folder, packed, isEveryTest } = tried
  run.count('nodes')
  const place = join(folder, version)
  await installInto(place, root, packed.program)
  const used = await usePackage(node, place)
  run.count('uses', used.size)
  const outcomes = [...used, await useFleet(run, tried), runTests(node, isEveryTest)]
  const marks = outcomes.map(([name, problem]) => `${name} ${problem === undefined ? 'ok' : 'WRONG'}`)
  run.say(`${version.padEnd(10)}${marks.join('  ')}`)
  run.complain(
    version,
    outcomes.flatMap(([name, problem]) => (problem === undefined ? [] : [`${name} ${problem}`])),
  )
  if (await isFoundBroken(node, place)) run.count('broken packages found')
}

/** Uses the package for fleets beside the program: what it lacks must be a database, and no package. */
async function useFleet(run: CheckRun, { node, version, folder, packed }: Tried): Promise<Outcome> {
  const place = join(folder, `${version}-fleet`)
  await installTogether(place, packed.together)
  const program = join(place, 'node_modules/.bin/landform')
  const { PATH, HOME } = process.env
  const { status, stderr } = spawnSync(node, [program, 'fleet', 'status'], {
    cwd: place,
    env: { PATH, HOME },
    encoding: 'utf8',
  })
  run.count('uses')
  const fits = status === 66 && stderr.includes('LANDFORM_DATABASE_URL')
  return ['fleet', fits ? undefined : `ended with ${status}: ${stderr}`]
}

/** Takes the library and the schemas out of a package, and tells whether its uses notice. */
async function isFoundBroken(node: string, place: string): Promise<boolean> {
  for (const part of ['dist/lib', 'schemas'])
    rmSync(join(place, 'node_modules/landform', part), { recursive: true })
  const wrong = [...(await usePackage(node, place))].filter(([, problem]) => problem !== undefined)
  return ['require', 'schema', 'library'].every(use => wrong.some(([name]) => name === use))
}

const quickTests = [
  'dist/test/library/',
  'dist/test/index',
  'dist/test/system/cli/launch',
  'dist/test/client/http',
]

/** Runs Jest under a Node, also for everything that the tests start. */
function runTests(node: string, isEveryTest: boolean): Outcome {
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), ...(isEveryTest ? [] : quickTests)]
  const { status, stdout, stderr } = spawnSync(node, jest, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e9,
    env: { ...process.env, PATH: `${dirname(node)}:${process.env['PATH']}` },
  })
  const failed = `${stdout}${stderr}`.split('\n').filter(line => line.includes('●'))
  const counted = /^\d+ passed, .*/m.exec(stdout)?.[0] ?? 'no tests'
  return [`tests (${counted})`, status === 0 ? undefined : `failed: ${[...new Set(failed)].join('; ')}`]
}

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { globSync } from 'tinyglobby'
import { root } from '../support/manifests.js'
import { nodeOf } from '../support/other-nodes.js'
import { scratchCopy } from '../support/scratch-copy.js'
import { type CheckRun, declareCheck, type Figures } from './check.js'
import { leastScore, type MutatedModule, mutatedModules } from './mutation/mutated-modules.js'
import { type MutationScore, mutationScore } from './mutation/mutation-report.js'

const figures = {
  /** The name of one module. */
  module: ['', ''],
} as const satisfies Figures

/**
 * Has Stryker change operators, conditions and values one at a time in the modules that perform plans, keep their journal and
 * keep secrets, and reads which changes a test detects. Stryker and the Node.js that it needs come from npm at run time, and
 * stay outside of the project.
 */
export const check = declareCheck({
  name: 'mutation',
  shows:
    'The tests detect 90 of 100 changes that Stryker makes in the executor, 89 in the journal, 85 in redaction and encoding, and 78 in secrets.',
  counts: { mutants: [20, 1000], killed: [17, 850] },
  short: 'release',
  figures,
  async run(run) {
    const { module: wanted } = run.figures
    const chosen = mutatedModules.filter(({ name, isShort = false }) =>
      wanted === '' ? isShort || !run.isShort : name === wanted,
    )
    if (chosen.length === 0) return run.violation(`there is no module "${wanted}"`)
    const node = nodeOf('22')
    if (node === undefined || !isBrought())
      return run.skip(
        'npm could not install Stryker and Node.js 22: no mutant was tried',
        'mutants',
        'killed',
      )
    const ground = { node, folder: scratchCopy('mutation', { withBuild: true }) }
    for (const module of chosen) scoreModule(run, ground, module)
    tryControl(run, ground)
  },
})

type Run = CheckRun<typeof figures>

interface MutationFixture {
  /** The path of the Node.js that Stryker runs on. */
  readonly node: string
  /** A copy of the project. */
  readonly folder: string
}

const cache = join(root, 'node_modules', '.cache', 'landform-stryker')
const stryker = join(cache, 'node_modules', '@stryker-mutator', 'core')
/** Unrelated tests must let every mutant survive. */
const control: MutatedModule = { name: 'control', files: ['state/memory-backend'], tests: ['secrets/secret'] }

function scoreModule(run: Run, ground: MutationFixture, module: MutatedModule): void {
  const found = scoreOf(run, ground, module)
  if (found === undefined) return
  const { mutants, killed, score, survivors } = found
  run.count('mutants', mutants)
  run.count('killed', killed)
  run.say(`${module.name}: ${killed} of ${mutants} mutants killed, ${score.toFixed(1)} %`)
  for (const survivor of survivors) run.say(`  survived: ${survivor}`)
  const { name, least = leastScore } = module
  if (score < least) run.violation(`${name}: ${score.toFixed(1)} % killed, at least ${least} % expected`)
}

function tryControl(run: Run, ground: MutationFixture): void {
  const { mutants, killed } = scoreOf(run, ground, control) ?? { mutants: 0, killed: 0 }
  if (mutants > 0 && killed === 0) run.say(`control: none of ${mutants} killed by unrelated tests`)
  else run.violation(`control: ${killed} of ${mutants} killed by unrelated tests`)
}

/** Runs Stryker, which changes files of the copy in place and restores them. */
function scoreOf(
  run: Run,
  { node, folder }: MutationFixture,
  module: MutatedModule,
): MutationScore | undefined {
  const report = join(folder, 'mutation.json')
  writeFileSync(join(folder, 'stryker.json'), strykerConfiguration(module, report))
  const files = {
    tests: filesOf(
      folder,
      module.tests.map(test => `test/${test}.test.js`),
    ),
    sources: filesOf(
      folder,
      module.files.map(file => `src/${file}.js`),
    ),
  }
  const { status } = spawnSync(node, [join(stryker, 'bin', 'stryker.js'), 'run', 'stryker.json'], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, LANDFORM_MUTATION: JSON.stringify(files) },
  })
  if (status === 0) return mutationScore(JSON.parse(readFileSync(report, 'utf8')))
  run.violation(`${module.name}: Stryker failed: it exited with ${status}`)
  return undefined
}

/** Lists compiled files, in the order of the patterns. */
function filesOf(folder: string, patterns: readonly string[]): readonly string[] {
  const found = patterns.flatMap(one =>
    globSync(one, { cwd: join(folder, 'dist'), absolute: true }).toSorted(),
  )
  return [...new Set(found)]
}

function strykerConfiguration({ files }: MutatedModule, report: string): string {
  return JSON.stringify({
    plugins: ['./dist/test/proofs/mutation/stryker-runner.js'],
    testRunner: 'landform',
    coverageAnalysis: 'perTest',
    mutate: files.map(file => `dist/src/${file}.js`),
    inPlace: true,
    disableTypeChecks: false,
    // On a busy machine a test may take seconds, and a mutant that is only slow must not count as detected.
    timeoutMS: 20_000,
    concurrency: availableParallelism(),
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
  })
}

/** Installs Stryker if it is missing, without a test runner: the project has its own. */
function isBrought(): boolean {
  if (existsSync(stryker)) return true
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{ "private": true }\n')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  spawnSync('npm', ['install', ...flags, '@stryker-mutator/core@10.0.0'], { cwd: cache, stdio: 'ignore' })
  return existsSync(stryker)
}

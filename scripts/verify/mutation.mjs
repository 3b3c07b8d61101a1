// Has Stryker change one operator, condition or value after the other in what performs plans, keeps their journal and keeps
// secrets, and looks whether a test notices. `npm run verify:mutation [-- --short]`; `--module NAME` looks at one. Stryker and
// the Node that it needs come from npm at run time, and stay outside of the project.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { leastScore, mutatedModules } from '../../dist/test/proofs/mutation/mutated-modules.js'
import { mutationScore } from '../../dist/test/proofs/mutation/mutation-report.js'
import { nodeOf } from '../other-nodes.mjs'
import { scratchCopy } from '../scratch-copy.mjs'
import { complain, conclude, count, figures, say, skip, violation } from './check.mjs'

const { module: wanted, isShort } = figures({ module: ['', ''] })
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const cache = join(root, 'node_modules', '.cache', 'landform-stryker')
const stryker = join(cache, 'node_modules', '@stryker-mutator')
const packages = ['core', 'jest-runner'].map(name => `@stryker-mutator/${name}@10.0.0`)
/** Tests that do not look at it must let every mutant of it live. */
const control = { name: 'control', files: ['state/site-key'], tests: ['secrets/secret'] }

const node = nodeOf('22')
const chosen = mutatedModules.filter(({ name, isShort: isQuick = false }) =>
  wanted === '' ? isQuick || !isShort : name === wanted,
)
if (chosen.length === 0) violation(`there is no module "${wanted}"`)
else if (node === undefined || !isBrought())
  skip('npm could not bring Stryker and Node 22: NOT VERIFIED', 'mutants')
else verify(scratchCopy('mutation', { withBuild: true }))
conclude()

function verify(folder) {
  for (const module of chosen) {
    const found = scoreOf(folder, module)
    if (found === undefined) continue
    const { mutants, killed, score, survivors } = found
    count('mutants', mutants)
    count('killed', killed)
    say(`${module.name}: ${killed} of ${mutants} mutants killed, ${score.toFixed(1)} %`)
    for (const survivor of survivors) say(`  lives: ${survivor}`)
    if (score < leastScore)
      violation(`${module.name}: ${score.toFixed(1)} % killed, and ${leastScore} % are asked for`)
  }
  const { mutants = 0, killed } = scoreOf(folder, control) ?? {}
  if (mutants > 0 && killed === 0) say(`control: none of ${mutants} killed by tests of something else`)
  else complain('control', [`${killed} of ${mutants} killed by tests that do not look at them`])
}

/** Changes files of the copy in their places and back. */
function scoreOf(folder, { name, files, tests }) {
  const report = join(folder, 'mutation.json')
  const write = (file, content) => writeFileSync(join(folder, file), content)
  const testMatch = tests.map(test => `<rootDir>/${test}.test.js`)
  const jest = { testEnvironment: 'node', rootDir: 'dist/test', transform: {}, testMatch }
  write('jest.mutation.mjs', `export default ${JSON.stringify(jest)}\n`)
  const options = {
    plugins: [join(stryker, 'jest-runner', 'dist', 'src', 'index.js')],
    testRunner: 'jest',
    testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
    jest: { projectType: 'custom', configFile: 'jest.mutation.mjs', enableFindRelatedTests: false },
    coverageAnalysis: 'perTest',
    mutate: files.map(file => `dist/src/${file}.js`),
    inPlace: true,
    disableTypeChecks: false,
    timeoutMS: 5000,
    reporters: ['json'],
    jsonReporter: { fileName: report },
  }
  write('stryker.json', JSON.stringify(options))
  const { status, stdout } = spawnSync(
    node,
    [join(stryker, 'core', 'bin', 'stryker.js'), 'run', 'stryker.json'],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  )
  if (status === 0) return mutationScore(JSON.parse(readFileSync(report, 'utf8')))
  violation(`${name}: Stryker did not come to its end: ${stdout.trim().split('\n').slice(-5).join(' ')}`)
  return undefined
}

/** Jest is there; what npm would bring besides is another one. */
function isBrought() {
  const isThere = () =>
    packages.every(name => existsSync(join(cache, 'node_modules', name.replace(/@[^@]*$/, ''))))
  if (isThere()) return true
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{ "private": true }\n')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', '--loglevel=error']
  spawnSync('npm', ['install', ...flags, ...packages], { cwd: cache, stdio: 'ignore' })
  return isThere()
}

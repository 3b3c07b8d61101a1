// `npm test` builds, and runs the unit tests, with the linter and the type checker beside them. `npm test -- PATTERN… [options of
// Jest]` runs the tests whose path has the pattern, of both projects, and nothing else; it only compiles for tests that start
// nothing that is bundled. `npm run test:system` runs those of test/system/.
// The last line is `N passed, N failed`; the linter and the type checker count as one failure each.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { computeDigest, filesBelow, isKept, keep } from './changes.mjs'
import { makeMemoryFolder } from './memory-folder.mjs'
import { needsBundles } from './needs-bundles.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const words = process.argv.slice(2)
const isSystem = words[0] === '--system'
const jestWords = isSystem ? words.slice(1) : words
const withValue = ['--seed', '-t', '--testNamePattern', '--shard', '-w', '--maxWorkers']
/** Options alone, such as `--randomize`, choose no tests. */
const patterns = jestWords.filter(
  (word, at) => !word.startsWith('-') && !withValue.includes(jestWords[at - 1]),
)
const isChosen = patterns.length > 0
/** The same random values in every run: other ones are tried by `--seed N`, by `--randomize`, and by the checks at length. */
const seed = jestWords.some(word => /^--(?:seed|randomize)\b/.test(word)) ? [] : ['--seed=2026']
if (isChosen) makeReady('--compile')
if (!isChosen || needsBundles(patterns)) makeReady()
/** A few tests alone keep the usual folder, where a database that was prepared once stays. */
const memory = isChosen || process.env.TMPDIR !== undefined ? undefined : makeMemoryFolder()
if (memory !== undefined) process.env.TMPDIR = memory
const folder = mkdtempSync(join(tmpdir(), 'landform-test-'))
const totals = join(folder, 'totals.json')
process.exitCode = 1

try {
  const beside = isSystem || isChosen ? Promise.resolve([]) : failedChecks()
  const project = isChosen ? [] : ['--selectProjects', isSystem ? 'system' : 'unit']
  const code = await jest([...project, ...seed, ...jestWords])
  const failedBeside = await beside
  const { passed, failed, skipped } = totalsOfJest(code)
  for (const { name, output } of failedBeside) process.stdout.write(`\nFAILED  ${name}\n${output}\n`)
  const allFailed = failed + failedBeside.length
  process.stdout.write(
    `\n${passed} passed, ${allFailed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
  )
  process.exitCode = code === 0 && allFailed === 0 ? 0 : 1
} finally {
  for (const one of [folder, memory]) if (one !== undefined) rmSync(one, { recursive: true, force: true })
}

/** Installs and builds what has changed; where that fails, it has said why. */
function makeReady(...options) {
  const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'make-ready.mjs'), ...options], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}

async function jest(args) {
  const bin = join(root, 'node_modules', 'jest', 'bin', 'jest.js')
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: root,
    // What is noted of promises on a machine belongs to nobody's home here.
    env: { ...process.env, LANDFORM_TEST_TOTALS: totals, XDG_STATE_HOME: join(folder, 'state') },
    stdio: 'inherit',
  })
  // Who interrupts this process waits for Jest, so that no temporary files are left behind.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  return code
}

/** Reads the counts of Jest; a run that broke before it could count has failed once. */
function totalsOfJest(code) {
  try {
    return JSON.parse(readFileSync(totals, 'utf8'))
  } catch {
    return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 }
  }
}

/** The linter and the type checker, one after the other, since the tests have the other core; each where something changed. */
async function failedChecks() {
  const sources = computeDigest([
    ...[
      'biome.json',
      'jest.config.mjs',
      'package-lock.json',
      'package.json',
      'tsconfig.json',
      'tsconfig.pages.json',
    ],
    ...filesBelow(
      ['.github', 'deploy', 'docs', 'examples', 'packages', 'scripts', 'src', 'test'],
      /\.(?:ts|mjs|cjs|js|json|css|html)$/,
    ),
  ])
  if (isKept('.checked-from', sources)) return []
  const checks = [
    [
      'the linter: `npm run format` fixes most of this',
      ['@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.'],
    ],
    [
      'the type checker',
      [
        'typescript/bin/tsc',
        '--noEmit',
        '--incremental',
        '--tsBuildInfoFile',
        join('dist', '.types.tsbuildinfo'),
      ],
    ],
    ['the type checker of the pages', ['typescript/bin/tsc', '-p', 'tsconfig.pages.json']],
  ]
  const failed = []
  for (const [name, [bin, ...args]] of checks) {
    const child = spawn(process.execPath, [join(root, 'node_modules', bin), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', piece => {
        output += piece
      })
    const [code] = await once(child, 'close')
    if (code !== 0) failed.push({ name, output })
  }
  if (failed.length === 0) keep('.checked-from', sources)
  return failed
}

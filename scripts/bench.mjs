// Measures whole commands beside a bare Node, and beside other validators from npm, in one run, turn by turn, and
// prints medians as ratios: machines differ and drift, ratios less so. `npm run bench [-- RUNS]`. The peers are
// installed once, outside the project; where that cannot be done their lines say so.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const landform = join(root, 'dist', 'bin', 'landform.cjs')
const runs = Number(process.argv[2] ?? 15)
const folder = mkdtempSync(join(tmpdir(), 'landform-bench-'))
const schema = join(root, 'schemas', 'deployment-11.2.schema.json')

// The one makes Node's own start several times slower, which would flatter every ratio; the other is ours alone.
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env
const environment = { ...inherited, XDG_CACHE_HOME: join(folder, 'cache') }

const peers = peersInstalled()
const own = (...args) => [process.execPath, landform, ...args]
const bare = { name: 'bare node', command: [process.execPath, '-e', '0'], exitCode: 0 }

try {
  start()
  files(100, Math.min(runs, 9))
  files(10_000, 3)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Start-up, and the check of one file. */
function start() {
  const valid = 'examples/quickstart.yaml'
  const times = measured(runs, [
    bare,
    { name: '--version', command: own('--version'), budget: '1.3' },
    { name: '--help', command: own('--help'), budget: '1.3' },
    { name: 'validate one file', command: own('validate', valid), budget: '2.5' },
    {
      name: 'validate one file with an error',
      command: own('validate', 'test/invalid/volume/missing-component.yaml'),
      exitCode: 65,
      budget: '3.0',
    },
    { name: 'plan on the emulator', command: own('plan', '--emulate', valid) },
    ...(peers === undefined ? [] : [ajv(valid), sourcemeta(valid)]),
  ])
  table(`${runs} runs each, turn by turn; Node ${process.version}`, times, 'bare node')
  if (peers !== undefined)
    said(`validate one file / ajv-cli: ${ratio(times, 'validate one file', 'ajv-cli')} (budget 0.2)`)
}

/** Many copies of the examples, in one process. */
function files(count, rounds) {
  const many = join(folder, `files-${count}`)
  mkdirSync(many)
  const texts = readdirSync(join(root, 'examples'))
    .filter(name => name.endsWith('.yaml') && !name.includes('10.9'))
    .map(name => readFileSync(join(root, 'examples', name), 'utf8'))
  for (let index = 0; index < count; index += 1)
    writeFileSync(
      join(many, `site-${index}.yaml`),
      texts[index % texts.length].replace(/name: \S+/, `name: site-${index}`),
    )
  const name = `validate ${count} files`
  const times = measured(rounds, [
    { name, command: own('validate', many) },
    ...(peers === undefined ? [] : [ajv(join(many, '*.yaml')), sourcemeta(many)]),
  ])
  table(`${count} valid files, ${rounds} runs each`, times, name)
  said(`peak memory of landform: ${peakMemory(own('validate', many))} MB (budget 200)`)
  if (peers === undefined) return
  if (count === 100) said(`landform / ajv-cli: ${ratio(times, name, 'ajv-cli')} (budget 1.1)`)
  else said(`landform / sourcemeta: ${ratio(times, name, 'sourcemeta')} (budget 2.0)`)
}

function ajv(pattern) {
  const program = join(peers, 'node_modules', 'ajv-cli', 'dist', 'index.js')
  const options = ['-s', schema, '-d', pattern, '--strict=false', '--validate-formats=false']
  return { name: 'ajv-cli', command: [process.execPath, program, 'validate', ...options] }
}

function sourcemeta(path) {
  const program = join(peers, 'node_modules', '.bin', 'jsonschema')
  return { name: 'sourcemeta', command: [program, 'validate', schema, path, '--extension', '.yaml'] }
}

/** Where the peers are; `undefined` where they cannot be had. */
function peersInstalled() {
  const place = join(root, 'node_modules', '.cache', 'landform-bench')
  const wanted = ['ajv-cli@5.0.0', '@sourcemeta/jsonschema@16.11.0']
  const stamp = join(place, 'installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted.join()) return place
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const { status } = spawnSync('npm', ['install', ...flags, ...wanted], { cwd: place, stdio: 'ignore' })
  if (status !== 0) {
    said('NOT MEASURED: ajv-cli and sourcemeta, which npm could not install')
    return undefined
  }
  writeFileSync(stamp, wanted.join())
  return place
}

function measured(rounds, commands) {
  const times = new Map(commands.map(({ name, budget }) => [name, { budget, all: [] }]))
  for (let round = -1; round < rounds; round += 1)
    for (const { name, command, exitCode = 0 } of commands) {
      const [program, ...args] = command
      const started = process.hrtime.bigint()
      const { status } = spawnSync(program, args, { cwd: root, env: environment, stdio: 'ignore' })
      const milliseconds = Number(process.hrtime.bigint() - started) / 1e6
      if (status !== exitCode) throw new Error(`${name} ended with ${status}, not ${exitCode}`)
      // The first round only warms the caches.
      if (round >= 0) times.get(name).all.push(milliseconds)
    }
  return times
}

/** Of the process itself, in megabytes, as the kernel counted it. */
function peakMemory([program, ...args]) {
  const probe = `process.on('exit',()=>process.stderr.write(String(process.resourceUsage().maxRSS)))`
  const preload = `data:text/javascript,${encodeURIComponent(probe)}`
  const { stderr } = spawnSync(program, ['--import', preload, ...args], { cwd: root, env: environment })
  return Math.round(Number(stderr.toString()) / 1024)
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function ratio(times, one, other) {
  return (median(times.get(one).all) / median(times.get(other).all)).toFixed(2)
}

function table(title, times, floor) {
  said(`\n${title}\n`)
  row('command', 'median ms', 'spread ms', `x ${floor.slice(0, 12)}`, 'budget')
  for (const [name, { all, budget = '' }] of times) {
    const spread = `${Math.min(...all).toFixed(0)}-${Math.max(...all).toFixed(0)}`
    row(name, median(all).toFixed(1), spread, ratio(times, name, floor), budget)
  }
  said('')
}

function row(name, ...cells) {
  said(`${name.padEnd(34)}${cells.map(cell => cell.padStart(15)).join('')}`)
}

function said(line) {
  process.stdout.write(`${line}\n`)
}

// Measures whole commands beside a bare Node in one run, turn by turn, and prints medians as ratios: machines
// differ and drift, ratios less so. `npm run bench [-- RUNS]`.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const landform = join(root, 'dist', 'bin', 'landform.cjs')
const runs = Number(process.argv[2] ?? 15)

// Where it is set it makes Node's own start several times slower, which would flatter every ratio.
const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env

const bare = { name: 'bare node', args: ['-e', '0'], exitCode: 0 }
const commands = [
  { name: '--version', args: [landform, '--version'], exitCode: 0, budget: 1.3 },
  { name: '--help', args: [landform, '--help'], exitCode: 0, budget: 1.3 },
  {
    name: 'validate one file',
    args: [landform, 'validate', 'examples/quickstart.yaml'],
    exitCode: 0,
    budget: 2.5,
  },
  {
    name: 'validate one file with an error',
    args: [landform, 'validate', 'test/invalid/volume/missing-component.yaml'],
    exitCode: 65,
    budget: 3,
  },
  {
    name: 'plan on the emulator',
    args: [landform, 'plan', '--emulate', 'examples/quickstart.yaml'],
    exitCode: 0,
  },
]

const times = new Map([bare, ...commands].map(({ name }) => [name, []]))
for (let run = -1; run < runs; run += 1) {
  for (const { name, args, exitCode } of [bare, ...commands]) {
    const started = process.hrtime.bigint()
    const { status } = spawnSync(process.execPath, args, { cwd: root, env: environment, stdio: 'ignore' })
    const milliseconds = Number(process.hrtime.bigint() - started) / 1e6
    if (status !== exitCode) throw new Error(`${name} ended with ${status}, not ${exitCode}`)
    // The first round only warms the caches of the machine.
    if (run >= 0) times.get(name).push(milliseconds)
  }
}

const floor = median(times.get(bare.name))
process.stdout.write(`${runs} runs each, turn by turn; Node ${process.version}\n\n`)
row('command', 'median ms', 'spread ms', 'x bare', 'budget')
for (const { name, budget } of [bare, ...commands]) {
  const all = times.get(name)
  const spread = `${Math.min(...all).toFixed(0)}-${Math.max(...all).toFixed(0)}`
  row(
    name,
    median(all).toFixed(1),
    spread,
    (median(all) / floor).toFixed(2),
    budget === undefined ? '' : String(budget),
  )
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function row(name, ...cells) {
  process.stdout.write(`${name.padEnd(34)}${cells.map(cell => cell.padStart(11)).join('')}\n`)
}

/**
 * `npm run verify -- [NAME…]` runs checks in their short form, and prints a table. With a single name, it prints the output of
 * that check, and accepts its options. `--full` runs the full form, `--ci` only the checks of `.ci/run`, `--seed N` repeats a
 * seed, `--lanes N` runs N checks at once, and `--write` saves successful full results, and rewrites their page.
 */
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { root } from '../support/manifests.js'
import { type Check, performCheck } from './check.js'
import {
  formatCounts,
  formatDuration,
  formatEnd,
  formatKept,
  formatPage,
  type Kept,
  type Result,
} from './results.js'

/** The checks, in the order of the page. Each is in the file `NAME.check.ts`. */
export const checkNames: readonly string[] = [
  'model',
  'sim',
  'mutation',
  'kill',
  'syscalls',
  'concurrency',
  'database',
  'servers',
  'real-servers',
  'cuts',
  'faults',
  'fleet',
  'secrets',
  'tls',
  'tomcat',
  'firewall',
  'cache',
]

const program = fileURLToPath(import.meta.url)
const interrupted = 130

/** Imports a check, and everything that it needs. */
export async function loadCheck(name: string): Promise<Check> {
  return (await import(`./${name}.check.js`)).check
}

if (process.argv[1] === program) await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<void> {
  const count = args.findIndex(word => !checkNames.includes(word))
  const names = count < 0 ? args : args.slice(0, count)
  const words = args.slice(names.length)
  // If the checks stall, Node.js exits by itself, and must not exit with 0.
  process.exitCode = 1
  try {
    const isOne = names.length === 1 && !words.includes('--write') && !words.includes('--ci')
    if (isOne) await verifyOne(names[0] ?? '', words)
    else await verifyMany(names, words)
  } catch (error) {
    // The command line is wrong: a check reports its own exceptions.
    process.stderr.write(
      `error: ${error instanceof Error ? error.message : error}\nchecks: ${checkNames.join(', ')}\n`,
    )
    process.exitCode = 64
  }
}

/** Runs one check in this process, with its own options. */
async function verifyOne(name: string, words: readonly string[]): Promise<void> {
  // Processes that a check has started end in `exit` handlers, which a signal alone does not call.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(interrupted))
  // Keeps the submission intents that are noted on the machine out of the user's home.
  const home = mkdtempSync(join(tmpdir(), 'landform-verify-home-'))
  process.on('exit', () => rmSync(home, { recursive: true, force: true }))
  process.env['XDG_STATE_HOME'] = home
  const result = await performCheck(await loadCheck(name), words)
  process.send?.(result)
  process.exitCode = result.violations === 0 ? 0 : 1
}

async function verifyMany(names: readonly string[], args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      full: { type: 'boolean', default: false },
      ci: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      lanes: { type: 'string', default: `${cpus().length + 1}` },
      seed: { type: 'string' },
    },
  })
  const { full, ci, write, lanes, seed } = values
  const checks: Check[] = []
  for (const name of names.length === 0 ? checkNames : names) checks.push(await loadCheck(name))
  const chosen = checks.filter(({ short }) => {
    if (ci) return short === 'ci'
    return full || names.length > 0 || short !== 'release'
  })
  const own = [...(full ? ['--full'] : []), ...(seed === undefined ? [] : ['--seed', seed])]
  const started = performance.now()
  const results: Result[] = []
  const waiting = chosen.values()
  const lane = async () => {
    for (const { name } of waiting) {
      results.push(await verifyInProcess(name, own))
      if (process.exitCode === interrupted) return
    }
  }
  await Promise.all(Array.from({ length: Number(lanes) }, lane))
  if (process.exitCode === interrupted) return
  for (const result of results) {
    const cells = [
      result.name.padEnd(14),
      formatEnd(result).padEnd(8),
      formatDuration(result.seconds).padEnd(14),
    ]
    process.stdout.write(`${cells.join('')}seed ${result.seed}, ${formatCounts(result)}\n`)
  }
  const failed = results.filter(({ violations }) => violations > 0)
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stdout.write(`${results.length} checks, ${failed.length} failed, ${formatDuration(seconds)}\n`)
  if (write) await keep(results)
  process.exitCode = failed.length === 0 ? 0 : 1
}

/** Runs one check in its own process group, so no process outlives it, and prints its output at the end. */
async function verifyInProcess(name: string, own: readonly string[]): Promise<Result> {
  const started = performance.now()
  const child = fork(program, [name, ...own], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  let output = ''
  let result: Result | undefined
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      output += piece
    })
  child.once('message', (message: Result) => {
    result = message
  })
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    } catch {
      // No process of the group is left.
    }
  }
  const end = () => {
    process.exitCode = interrupted
    signalGroup('SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  const limit = setTimeout(() => signalGroup('SIGKILL'), (own.includes('--full') ? 600 : 60) * 60_000)
  const closed = once(child, 'close')
  const [code, signal] = await once(child, 'exit')
  // Processes that the check left behind may hold its output open.
  signalGroup('SIGKILL')
  await closed
  clearTimeout(limit)
  for (const one of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(one, end)
  process.stdout.write(`--- ${name}\n${output}`)
  // If the exit code differs from the result, something failed after the last line.
  if (result !== undefined && (code === 0) === (result.violations === 0)) return result
  process.stdout.write(`VIOLATION  ${name} did not finish: ${code ?? signal}\n`)
  const seconds = Math.round((performance.now() - started) / 1000)
  return { name, form: 'own', seed: 0, counts: {}, skipped: [], violations: 1, seconds }
}

/** Saves successful results of the full form, replacing older ones, and rewrites their page. */
async function keep(results: readonly Result[]): Promise<void> {
  const file = join(root, 'docs', 'verification.json')
  const before: Kept = JSON.parse(readFileSync(file, 'utf8'))
  const git = (...line: readonly string[]) =>
    spawnSync('git', line, { cwd: root, encoding: 'utf8' }).stdout.trim()
  const changed = git(
    'status',
    '--porcelain',
    '--',
    '.',
    ':!docs/verification.json',
    ':!docs/verification.md',
  )
  const commit = `${git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : ' and changes'}`
  const date = new Date().toISOString().slice(0, 10)
  const good = results.filter(({ form, violations }) => form === 'full' && violations === 0)
  const newer = good.map(({ form, violations, ...result }) => ({ ...result, date, commit }))
  const kept = checkNames.flatMap(
    name => [...newer, ...before.results].find(result => result.name === name) ?? [],
  )
  const [{ model: processor } = { model: 'unknown' }] = cpus()
  const node = `${process.version} (${process.platform} ${process.arch})`
  const machine = newer.length === 0 ? before.machine : { cores: cpus().length, processor, node }
  const checks: Check[] = []
  for (const name of checkNames) checks.push(await loadCheck(name))
  writeFileSync(file, formatKept({ machine, results: kept }))
  writeFileSync(join(root, 'docs', 'verification.md'), formatPage(checks, { machine, results: kept }))
}

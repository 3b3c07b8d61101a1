/**
 * `npm run verify -- [NAME…]` runs checks and prints a table; one name prints what that check prints, and takes its options.
 * Without `--full` they run in their short form. `--ci` leaves out the checks whose short form is a test or only a release
 * needs, `--seed N` gives all of them one seed, `--lanes N` runs so many at once (one more than there are cores, for most wait most of the time),
 * `--write` keeps good results and their page in docs/, and `--render` only writes the page again. Exits 1 where a check fails, and before it is known that none does.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { root } from '../support/manifests.js'
import { type Form, performCheck } from './check.js'
import { checkNames, loadCheck, loadChecks } from './checks.js'
import {
  formatCounts,
  formatDuration,
  isGood,
  type Kept,
  type KeptResult,
  mergeResults,
  type Result,
  verdictOn,
} from './results.js'
import { verificationPage } from './verification-page.js'

const keptFile = join(root, 'docs', 'verification.json')
const pageFile = join(root, 'docs', 'verification.md')
const program = fileURLToPath(import.meta.url)
const args = process.argv.slice(2)
const firstOther = args.findIndex(word => !checkNames.includes(word))
const names = firstOther < 0 ? args : args.slice(0, firstOther)
const words = firstOther < 0 ? [] : args.slice(firstOther)
const interrupted = 130

// A run that stalls has not passed.
process.exitCode = 1
try {
  if (args.includes('--help')) await printUsage()
  else if (names.length === 1 && !words.includes('--write')) await verifyOne(names[0] ?? '')
  else await verifyMany()
} catch (error) {
  // What was typed wrongly: a check reports its own exceptions itself.
  if (!(error instanceof Error)) throw error
  stop(`${error.message.split('. To specify')[0]}; npm run verify -- --help shows the options`)
}

/** Prints the options, and of the named checks, or of all, what each shows and its own options. */
async function printUsage(): Promise<void> {
  const options = [
    '--full        as many cases as before a release, instead of the short form',
    '--ci          only the checks whose short form is none of the tests',
    '--seed N      repeats the random values of a run',
    '--lanes N     runs so many at once',
    '--write       keeps good results in docs/verification.json, and their page',
    '--render      only writes the page again',
  ]
  const checks = (await loadChecks()).filter(({ name }) => names.length === 0 || names.includes(name))
  const shown = checks.map(({ name, shows, figures }) => {
    const own = Object.keys(figures).map(key => `--${key}`)
    return `  ${name.padEnd(14)}${shows}${own.length === 0 ? '' : ` (${own.join(', ')})`}`
  })
  const lines = ['usage: npm run verify -- [NAME…] [OPTION…]', ...options.map(line => `  ${line}`), ...shown]
  process.stdout.write(`${lines.join('\n')}\n`)
  process.exitCode = 0
}

/** Runs one check in this process, with its own options. */
async function verifyOne(name: string): Promise<void> {
  // What a check has started is ended when this process exits, which a signal alone does not have it do.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(interrupted))
  // What is noted of promises on a machine belongs to nobody's home here.
  const home = mkdtempSync(join(tmpdir(), 'landform-verify-home-'))
  process.on('exit', () => rmSync(home, { recursive: true, force: true }))
  process.env['XDG_STATE_HOME'] = home
  const result = await performCheck(await loadCheck(name), words)
  process.exitCode = result.violations === 0 ? 0 : 1
}

async function verifyMany(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      full: { type: 'boolean', default: false },
      ci: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      render: { type: 'boolean', default: false },
      lanes: { type: 'string', default: `${cpus().length + 1}` },
      seed: { type: 'string' },
    },
  })
  if (positionals.length > 0)
    return stop(`there is no check ${positionals.join(', ')}; the checks are ${checkNames.join(', ')}`)
  if (values.full && values.ci) return stop('--ci selects short forms: it cannot go with --full')
  if (values.render) return keep([])
  const wanted = names.length === 0 ? checkNames : names
  const checks = (await loadChecks()).filter(
    ({ name, short }) =>
      wanted.includes(name) &&
      (!values.ci || short === 'ci') &&
      // Whoever names a check wants it.
      (values.full || names.length > 0 || short !== 'release'),
  )
  const own = [
    ...(values.full ? ['--full'] : []),
    ...(values.seed === undefined ? [] : ['--seed', values.seed]),
  ]
  const began = performance.now()
  const results: Result[] = []
  const waiting = longestFirst(checks, values.full ? 'full' : 'short').values()
  const lane = async () => {
    for (const check of waiting) {
      results[checks.indexOf(check)] = await verifyInProcess(check.name, own)
      if (process.exitCode === interrupted) return
    }
  }
  await Promise.all(Array.from({ length: Number(values.lanes) }, lane))
  if (process.exitCode === interrupted) return
  printTable(results)
  const failed = results.filter(({ violations }) => violations > 0)
  const seconds = Math.round((performance.now() - began) / 1000)
  const formWords = `in ${values.full ? 'full' : 'their short form'}`
  process.stdout.write(
    `${results.length} checks ${formWords}, ${failed.length} failed, ${formatDuration(seconds)}\n`,
  )
  if (values.write) await keep(results)
  process.exitCode = failed.length === 0 ? 0 : 1
}

function stop(problem: string): void {
  process.stderr.write(`error: ${problem}\n`)
  process.exitCode = 64
}

function printTable(results: readonly Result[]): void {
  const rows = results.map(result => [
    result.name,
    formatCounts(result),
    `${result.seed ?? ''}`,
    formatDuration(result.seconds),
    verdictOn(result),
  ])
  const all = [['check', 'counted', 'seed', 'time', 'result'], ...rows]
  const widths = [0, 1, 2, 3, 4].map(column => Math.max(...all.map(row => row[column]?.length ?? 0)))
  for (const row of all) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`)
  }
}

/** Runs one check with these options in a process of its own and prints its output. A check that does not reach its last line has failed. */
async function verifyInProcess(name: string, own: readonly string[]): Promise<Result> {
  const form = own.includes('--full') ? 'full' : 'short'
  const folder = mkdtempSync(join(tmpdir(), 'landform-verify-'))
  const file = join(folder, 'result.json')
  const began = performance.now()
  try {
    const { ending, output } = await endOf(name, own, file)
    process.stdout.write(`--- ${name}\n${output}`)
    const result: Result | undefined = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
    // An ending that differs from the result means that something happened after the last line.
    if (result !== undefined && (ending === 'exited with 0') === (result.violations === 0)) return result
    process.stdout.write(`VIOLATION  ${name} did not reach its end: it ${ending}\n`)
    const seconds = Math.round((performance.now() - began) / 1000)
    return { name, form, counts: {}, skipped: [], violations: 1, seconds }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Starts a check in a process group of its own, so that nothing it started outlives it. */
async function endOf(name: string, own: readonly string[], file: string) {
  const child = spawn(process.execPath, [program, name, ...own], {
    cwd: root,
    env: { ...process.env, LANDFORM_VERIFICATION: file },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => {
      output += piece
    })
  let cause: string | undefined
  const end = (why: string) => {
    cause = why
    // It removes what it made.
    signalGroup(child, 'SIGTERM')
    setTimeout(() => signalGroup(child, 'SIGKILL'), 5000).unref()
  }
  const maxMinutes = own.includes('--full') ? 600 : 60
  const limit = setTimeout(() => end(`took more than ${maxMinutes} minutes`), maxMinutes * 60_000)
  const interrupts = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map(signal => {
    const listener = () => {
      process.exitCode = interrupted
      end('was interrupted')
    }
    process.once(signal, listener)
    return [signal, listener] as const
  })
  const closed = once(child, 'close')
  // What it started and left behind may hold its output open.
  const [code, signal] = await once(child, 'exit')
  signalGroup(child, 'SIGKILL')
  await closed
  clearTimeout(limit)
  for (const [name_, listener] of interrupts) process.off(name_, listener)
  return { ending: cause ?? (signal === null ? `exited with ${code}` : `was killed by ${signal}`), output }
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name)
  } catch {
    // Nothing is left of the group.
  }
}

/** The longest checks begin first, so that none of them is left alone at the end: by what each took the last time. */
function longestFirst<Named extends { readonly name: string }>(
  checks: readonly Named[],
  form: Form,
): readonly Named[] {
  const { results }: Kept = JSON.parse(readFileSync(keptFile, 'utf8'))
  const secondsOf = ({ name }: Named) =>
    results.find(result => result.name === name && result.form === form)?.seconds ?? Number.POSITIVE_INFINITY
  return checks.toSorted((one, other) => secondsOf(other) - secondsOf(one))
}

/** Keeps good results and writes their page. A result that is not good does not replace one that is. */
async function keep(results: readonly Result[]): Promise<void> {
  const checks = await loadChecks()
  const isKept = (result: Result): result is KeptResult => {
    const check = checks.find(({ name }) => name === result.name)
    return check !== undefined && result.form !== 'own' && isGood(check, result)
  }
  const before: Kept = JSON.parse(readFileSync(keptFile, 'utf8'))
  for (const { name } of results.filter(result => !isKept(result)))
    process.stdout.write(`not kept: ${name}\n`)
  const date = new Date().toISOString().slice(0, 10)
  const newer = results.filter(isKept).map(result => ({ ...result, date, commit: checkedCommit() }))
  const [{ model: processor } = { model: 'unknown' }] = cpus()
  const node = `${process.version} (${process.platform} ${process.arch})`
  const all: Kept = {
    machine: newer.length === 0 ? before.machine : { cores: cpus().length, processor, node },
    // A minimum that was raised since ends a result that falls short of it now.
    results: mergeResults(checkNames, before.results.filter(isKept), newer),
  }
  writeFileSync(keptFile, `${JSON.stringify(all, null, 1)}\n`)
  writeFileSync(pageFile, verificationPage(checks, all))
  process.exitCode = 0
}

/** The commit that was checked, marked where files differ from it; the kept results are no difference. */
function checkedCommit(): string {
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
  return `${git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : ' and changes'}`
}

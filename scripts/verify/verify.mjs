// Runs all checks and prints one table: `npm run verify [-- NAME…]`. They run in their short form, or with `--full` at length;
// `--ci` leaves out those whose short form `npm test` has, and `--lanes N` runs so many at once (2: most of them mostly wait).
// `--write` keeps the results that are good, and their page, in docs/; `--render` makes only the page anew. Ends with 1 where a
// check fails.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checks } from '../../dist/test/proofs/checks.js'
import { countsIn, duration, isGood, renewed, verdictOn } from '../../dist/test/proofs/results.js'
import { verificationPage } from '../../dist/test/proofs/verification-page.js'
import { machine } from '../machine.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean' },
    ci: { type: 'boolean' },
    write: { type: 'boolean' },
    render: { type: 'boolean' },
    lanes: { type: 'string', default: '2' },
  },
})
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const kept = join(root, 'docs', 'verification.json')
const page = join(root, 'docs', 'verification.md')
const form = values.full ? 'full' : 'short'
/** One that takes longer hangs. */
const mostMinutes = values.full ? 600 : 60
const complaint = complaintOn()

if (complaint !== undefined) {
  process.stderr.write(`${complaint}\n`)
  process.exitCode = 1
} else if (values.render) keep([])
else await verifyAll()

/** What is wrong with the words. */
function complaintOn() {
  const known = checks.map(({ name }) => name)
  const unknown = positionals.filter(name => !known.includes(name))
  if (unknown.length > 0) return `there is no check ${unknown.join(', ')}; there are ${known.join(', ')}`
  if (values.full && values.ci) return '--ci is about short forms, and --full about the others'
  return undefined
}

async function verifyAll() {
  const chosen = checks
    .filter(({ name }) => positionals.length === 0 || positionals.includes(name))
    .filter(({ short }) => !values.ci || short === 'ci')
  const began = performance.now()
  const results = []
  const waiting = chosen.entries()
  const lane = async () => {
    for (const [at, check] of waiting) {
      results[at] = await verified(check)
      if (process.exitCode === 130) return
    }
  }
  await Promise.all(Array.from({ length: Number(values.lanes) }, lane))
  if (process.exitCode === 130) return
  const rows = [['check', 'counted', 'seed', 'time', 'result'], ...results.map(rowOf)]
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => row[column].length)))
  for (const row of rows)
    process.stdout.write(
      `${row
        .map((cell, at) => cell.padEnd(widths[at]))
        .join('  ')
        .trimEnd()}\n`,
    )
  const failed = results.filter(({ violations }) => violations > 0)
  const seconds = Math.round((performance.now() - began) / 1000)
  process.stdout.write(
    `${results.length} checks in their ${form} form, ${failed.length} failed, ${duration(seconds)}\n`,
  )
  if (values.write) keep(results)
  process.exitCode = failed.length === 0 ? 0 : 1
}

/** Runs one check, and says what it said. One that does not come to its last line has failed. */
async function verified({ name }) {
  const folder = mkdtempSync(join(tmpdir(), 'landform-verify-'))
  const file = join(folder, 'result.json')
  const began = performance.now()
  try {
    const { ending, said } = await ended(name, file)
    process.stdout.write(`--- verify:${name}\n${said}`)
    const result = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
    // What ends otherwise than it said has found something after its last line.
    if (result !== undefined && (ending === 'ends with 0') === (result.violations === 0)) return result
    process.stdout.write(`VIOLATION  ${name} did not come to its end: it ${ending}\n`)
    const seconds = Math.round((performance.now() - began) / 1000)
    return { name, form, counts: {}, skipped: [], violations: 1, seconds }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** How a check ends. It has a process group, so that nothing that it started is left where it is ended, or crashes. */
async function ended(name, file) {
  const words = [join(root, 'scripts', 'verify', `${name}.mjs`), ...(values.full ? [] : ['--short'])]
  const env = { ...process.env, LANDFORM_VERIFICATION: file }
  const stdio = ['ignore', 'pipe', 'pipe']
  const child = spawn(process.execPath, words, { cwd: root, env, stdio, detached: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', piece => {
      said += piece
    })
  let cause
  const end = why => {
    cause = why
    // What it has made is its own to take away.
    signal(child, 'SIGTERM')
    setTimeout(() => signal(child, 'SIGKILL'), 5000).unref()
  }
  const limit = setTimeout(() => end(`takes more than ${mostMinutes} minutes`), mostMinutes * 60_000)
  const interrupts = ['SIGINT', 'SIGTERM', 'SIGHUP'].map(signalName => {
    const listener = () => {
      process.exitCode = 130
      end('was interrupted')
    }
    process.once(signalName, listener)
    return [signalName, listener]
  })
  const closed = once(child, 'close')
  // What it started and left behind may hold its output open.
  const [code, killedBy] = await once(child, 'exit')
  signal(child, 'SIGKILL')
  await closed
  clearTimeout(limit)
  for (const [signalName, listener] of interrupts) process.off(signalName, listener)
  const ending = cause ?? (killedBy === null ? `ends with ${code}` : `is ended by ${killedBy}`)
  return { ending, said }
}

/** To all that is left of the group of a check. */
function signal({ pid }, name) {
  try {
    process.kill(-pid, name)
  } catch {
    // Nothing is left.
  }
}

function rowOf(result) {
  const { name, seed, seconds } = result
  return [name, countsIn(result), `${seed ?? ''}`, duration(seconds), verdictOn(result)]
}

/** A result that is not good does not take the place of one that is; what an older one lacks of what is asked for now ends it. */
function keep(results) {
  const before = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : { results: [] }
  const { date, ...on } = machine()
  const commit = checked()
  for (const { name } of results.filter(result => !isGood(result)))
    process.stdout.write(`not kept: ${name}\n`)
  const newer = results.filter(isGood).map(result => ({ ...result, date, commit }))
  const all = {
    machine: newer.length === 0 ? (before.machine ?? on) : on,
    results: renewed(before.results.filter(isGood), newer),
  }
  writeFileSync(kept, `${JSON.stringify(all, null, 1)}\n`)
  writeFileSync(page, verificationPage(all))
}

/** The commit that was checked, with a mark where files differ from it; what is written here is none of them. */
function checked() {
  const git = words => spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout.trim()
  const changed = git([
    'status',
    '--porcelain',
    '--',
    '.',
    ':!docs/verification.json',
    ':!docs/verification.md',
  ])
  return `${git(['rev-parse', '--short', 'HEAD'])}${changed === '' ? '' : ' and changes'}`
}

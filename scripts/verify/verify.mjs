// Runs all checks, one after the other, and prints one table: `npm run verify [-- NAME…]`. They run in their short form, or with
// `--full` at length; `--ci` leaves out those whose short form `npm test` has. `--write` keeps the results and their page in
// docs/, `--render` makes only the page anew. Ends with 1 where a check fails.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checks } from '../../dist/test/verification/checks.js'
import { countsIn, duration, renewed, verdictOn } from '../../dist/test/verification/results.js'
import { verificationPage } from '../../dist/test/verification/verification-page.js'
import { machine } from '../machine.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    full: { type: 'boolean' },
    ci: { type: 'boolean' },
    write: { type: 'boolean' },
    render: { type: 'boolean' },
  },
})
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const kept = join(root, 'docs', 'verification.json')
const page = join(root, 'docs', 'verification.md')
const unknown = positionals.filter(name => !checks.some(check => check.name === name))

if (unknown.length > 0) {
  process.stderr.write(
    `there is no check ${unknown.join(', ')}; there are ${checks.map(({ name }) => name).join(', ')}\n`,
  )
  process.exitCode = 1
} else if (values.render) writeFileSync(page, verificationPage(JSON.parse(readFileSync(kept, 'utf8'))))
else verifyAll()

function verifyAll() {
  const chosen = checks
    .filter(({ name }) => positionals.length === 0 || positionals.includes(name))
    .filter(({ short }) => !values.ci || short === 'ci')
  const results = chosen.map(verified)
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
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0)
  const form = values.full ? 'full' : 'short'
  process.stdout.write(
    `${results.length} checks in their ${form} form, ${failed.length} failed, ${duration(seconds)}\n`,
  )
  if (values.write) keep(results)
  process.exitCode = failed.length === 0 ? 0 : 1
}

/** Runs one check; what it says goes on as it comes. One that ends before its last line has failed. */
function verified({ name }) {
  process.stdout.write(`--- verify:${name}\n`)
  const folder = mkdtempSync(join(tmpdir(), 'landform-verify-'))
  const file = join(folder, 'result.json')
  const began = performance.now()
  const words = [join(root, 'scripts', 'verify', `${name}.mjs`), ...(values.full ? [] : ['--short'])]
  const env = { ...process.env, LANDFORM_VERIFICATION: file }
  const { status } = spawnSync(process.execPath, words, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  try {
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
    process.stdout.write(`VIOLATION  ${name} did not come to its end: ${status}\n`)
    const seconds = Math.round((performance.now() - began) / 1000)
    return { name, form: values.full ? 'full' : 'short', counts: {}, skipped: [], violations: 1, seconds }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function rowOf(result) {
  const { name, seed, seconds } = result
  return [name, countsIn(result), `${seed ?? ''}`, duration(seconds), verdictOn(result)]
}

function keep(results) {
  const before = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')).results : []
  const { date, ...on } = machine()
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  }).stdout.trim()
  const all = {
    machine: on,
    results: renewed(
      before,
      results.map(result => ({ ...result, date, commit })),
    ),
  }
  writeFileSync(kept, `${JSON.stringify(all, null, 1)}\n`)
  writeFileSync(page, verificationPage(all))
}

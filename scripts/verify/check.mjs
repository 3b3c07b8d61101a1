// What the checks have in common: figures that a command line may set, a line for each thing that is not as it should be,
// counters, and a last line. A check that stalls before that line has not passed, nor has one that looked at too little.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { shortfalls } from '../../dist/test/proofs/results.js'

const mostShown = 10
const started = performance.now()
const name = basename(process.argv[1], '.mjs')
const counts = {}
const skipped = []
const excused = new Set()
let violations = 0
/** Its figures are those of a form, until a command line says otherwise. */
let form = 'full'
let seed
process.exitCode = 1

/**
 * The figures of this run. Each is given as `[short, full]` and may be set by an option of its name; `--short` takes the short
 * ones. `seed` is always among them, also where nobody set it, and `words` are the words that are no options.
 */
export function figures(both) {
  const typeOf = value => (typeof value === 'boolean' ? 'boolean' : 'string')
  const options = Object.entries(both).map(([key, [, full]]) => [key, { type: typeOf(full) }])
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { short: { type: 'boolean' }, seed: { type: 'string' }, ...Object.fromEntries(options) },
  })
  const at = values.short ? 0 : 1
  const chosen = Object.entries(both).map(([key, value]) => {
    const given = values[key]
    if (given === undefined) return [key, value[at]]
    return [key, typeof value[at] === 'number' ? numberOf(key, given) : given]
  })
  const isOwn = positionals.length > 0 || Object.keys(both).some(key => values[key] !== undefined)
  form = isOwn ? 'own' : values.short ? 'short' : 'full'
  const given = values.seed === undefined ? Date.now() % 2 ** 31 : numberOf('seed', values.seed)
  return {
    ...Object.fromEntries(chosen),
    isShort: values.short === true,
    words: positionals,
    // Who never asks for it has none, and the last line names none.
    get seed() {
      seed = given
      return given
    },
  }
}

function numberOf(key, text) {
  const number = Number(text)
  if (text === '' || !Number.isFinite(number)) throw new Error(`--${key} takes a number, not "${text}"`)
  return number
}

/** A folder that goes when the check ends. No link is in its path, for programs tell the real one. */
export function scratchFolder() {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'landform-verify-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes one line. */
export function say(line) {
  process.stdout.write(`${line}\n`)
}

/** Adds to a counter. */
export function count(what, more = 1) {
  counts[what] = (counts[what] ?? 0) + more
}

/** One thing that is not as it should be. */
export function violation(what) {
  violations += 1
  process.exitCode = 1
  say(`VIOLATION  ${what}`)
}

/** The same for all that was found wrong with something; no more of it is shown than anybody reads. */
export function complain(what, found) {
  for (const one of found.slice(0, mostShown)) violation(`${what}: ${one}`)
  const more = found.length - mostShown
  if (more <= 0) return
  violations += more
  say(`VIOLATION  ${what}: and ${more} more`)
}

/** Says what was not looked at here, and why. Only the counters that are named may come to less for it. */
export function skip(why, ...counters) {
  skipped.push(why)
  for (const counter of counters) excused.add(counter)
  say(`SKIPPED    ${why}`)
}

/** The last line, what a program is to read of it, and the exit code. */
export function conclude() {
  const found = {
    name,
    form,
    ...(seed !== undefined && { seed }),
    counts,
    skipped,
    ...(excused.size > 0 && { excused: [...excused] }),
  }
  for (const shortfall of shortfalls(found)) violation(shortfall)
  const seconds = Math.round((performance.now() - started) / 1000)
  const counted = Object.entries(counts).map(([what, number]) => `${number} ${what}`)
  const said = [
    ...counted,
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    `${violations} violations`,
    `${seconds} s`,
  ]
  say(said.join(', '))
  const file = process.env.LANDFORM_VERIFICATION
  if (file) writeFileSync(file, JSON.stringify({ ...found, violations, seconds }))
  process.exitCode = violations === 0 ? 0 : 1
}

import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { removeTemporaryFolders } from '../support/temporary-folder.js'
import { type Form, type Result, shortfalls } from './results.js'

/** The minimum of a counter in each form. */
export type Minimum = readonly [short: number, full: number]

/** An option of a check with its value in each form. */
export type Figure =
  | readonly [short: number, full: number]
  | readonly [short: string, full: string]
  | readonly [short: boolean, full: boolean]

export type Figures = Readonly<Record<string, Figure>>

/** One check of `npm run verify`. */
export interface Check<F extends Figures = Figures> {
  readonly name: string
  /** The guarantee, as a sentence of `docs/verification.md`. */
  readonly shows: string
  /** The minimum of each counter: with less, a check proves nothing. */
  readonly counts: Readonly<Record<string, Minimum>>
  /** Where the short form runs: `ci` in `.ci/run`, `test` as a system test, `release` only if it is named. */
  readonly short: 'ci' | 'test' | 'release'
  /** Options that change how much is tried, in addition to `--seed`. */
  readonly figures: F
  run(run: CheckRun<F>): Promise<void>
}

type Widened<V> = V extends number ? number : V extends string ? string : V extends boolean ? boolean : V

/** The context of a running check. */
export interface CheckRun<F extends Figures = Figures> {
  readonly figures: { readonly [N in keyof F]: Widened<F[N][0]> }
  readonly isShort: boolean
  /** The positional arguments. */
  readonly words: readonly string[]
  readonly seed: number
  /** Formats the command that repeats this check in the same form with these arguments. */
  again(...words: readonly string[]): string
  /** Creates a folder that is removed when the process exits. Its path has no links, because programs print the real path. */
  scratchFolder(): string
  say(line: string): void
  count(what: string, more?: number): void
  violation(what: string): void
  /** Reports the violations of one case, the first ten in full. */
  report(what: string, found: readonly string[]): void
  /** Sets a cell of the check's table in `docs/verification.md`. */
  tabulate(row: string, column: string, text: string): void
  /** Reports what was not checked, and why. Only the named counters may then stay below their minimum. */
  skip(why: string, ...counters: readonly string[]): void
}

/** Declares a check, and infers the types of its options. */
export function declareCheck<const F extends Figures>(declaration: Check<F>): Check<F> {
  return declaration
}

const maxReported = 10

/**
 * Runs a check with command-line options, and prints its violations, and then its counts in one line. An exception counts as a
 * violation. Throws for an option that the check does not have.
 */
export async function performCheck(check: Check, args: readonly string[]): Promise<Result> {
  const started = performance.now()
  const { form, figures, words, seed } = parseOptions(check, args)
  const counts: Record<string, number> = {}
  const skipped: string[] = []
  const excused: string[] = []
  const table: Record<string, Record<string, string>> = {}
  let violations = 0
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const violation = (what: string) => {
    violations += 1
    say(`VIOLATION  ${what}`)
  }
  const run: CheckRun = {
    figures,
    isShort: !args.includes('--full'),
    words,
    seed,
    again: (...more) =>
      `npm run verify -- ${[check.name, ...(args.includes('--full') ? ['--full'] : []), ...more].map(quoted).join(' ')}`,
    scratchFolder: () => {
      const folder = mkdtempSync(join(realpathSync(tmpdir()), 'landform-verify-'))
      process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
      return folder
    },
    say,
    count: (what, more = 1) => {
      counts[what] = (counts[what] ?? 0) + more
    },
    violation,
    report: (what, found) => {
      for (const one of found.slice(0, maxReported)) violation(`${what}: ${one}`)
      if (found.length > maxReported) violation(`${what}: and ${found.length - maxReported} more`)
    },
    tabulate(row, column, text) {
      table[row] = { ...table[row], [column]: text }
    },
    skip: (why, ...counters) => {
      skipped.push(why)
      excused.push(...counters)
      say(`SKIPPED    ${why}`)
    },
  }
  try {
    await check.run(run)
  } catch (error) {
    violation(`${check.name} stopped: ${error instanceof Error ? error.stack : error}`)
  } finally {
    await removeTemporaryFolders()
  }
  const hasTable = Object.keys(table).length > 0
  const found = { name: check.name, form, seed, counts, skipped, ...(hasTable && { table }) }
  for (const shortfall of shortfalls(check, found, excused)) violation(shortfall)
  const seconds = Math.round((performance.now() - started) / 1000)
  const counted = Object.entries(counts).map(([what, number]) => `${number} ${what}`)
  say([...counted, `seed ${seed}`, `${violations} violations`, `${seconds} s`].join(', '))
  return { ...found, violations, seconds }
}

function parseOptions({ figures }: Check, args: readonly string[]) {
  const own = Object.entries(figures).map(([key, [, full]]) => {
    const type = typeof full === 'boolean' ? ('boolean' as const) : ('string' as const)
    return [key, { type }] as const
  })
  const { values, positionals: words } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { full: { type: 'boolean' }, seed: { type: 'string' }, ...Object.fromEntries(own) },
  })
  const given: Readonly<Record<string, string | boolean | undefined>> = values
  const form: Form = given['full'] === true ? 'full' : 'short'
  const chosen = Object.entries(figures).map(([key, figure]) => {
    const standard = figure[form === 'full' ? 1 : 0]
    const value = given[key] ?? standard
    return [key, typeof standard === 'number' ? toNumber(key, value) : value] as const
  })
  // If the command line chooses what is tried, no minimum applies.
  const isOwn = words.length > 0 || Object.keys(figures).some(key => given[key] !== undefined)
  return {
    form: isOwn ? ('own' as const) : form,
    figures: Object.fromEntries(chosen),
    words,
    seed: toNumber('seed', given['seed'] ?? Date.now() % 2 ** 31),
  }
}

function toNumber(key: string, text: string | boolean | number): number {
  const number = Number(text)
  if (text === '' || !Number.isFinite(number)) throw new Error(`--${key} takes a number, not "${text}"`)
  return number
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w./:@=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

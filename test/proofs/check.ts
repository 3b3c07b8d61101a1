import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { removeTemporaryFolders } from '../support/temporary-folder.js'
import { type Result, shortfalls } from './results.js'

/** The length of a run: as short as it can be, or as long as its counts ask for. */
export type Form = 'short' | 'full'

/** The least that a counter must reach in each form; a check that looks at less has shown nothing. */
export type Minimum = readonly [short: number, full: number]

/** An option of a check with its value in each form. */
export type Figure =
  | readonly [short: number, full: number]
  | readonly [short: string, full: string]
  | readonly [short: boolean, full: boolean]

export type Figures = Readonly<Record<string, Figure>>

/** One check of `npm run verify`: what it shows, what it must count, what it plants, and what it does. */
export interface Check<F extends Figures = Figures> {
  readonly name: string
  /** What it shows, as a sentence for a reader of `docs/verification.md`. */
  readonly shows: string
  /** The least of each counter, by its name. */
  readonly counts: Readonly<Record<string, Minimum>>
  /** The counter of mistakes that were planted and found: a check that finds none of them may find nothing at all. */
  readonly planted: string
  /** Where its short form runs: in `.ci/run`, as a test of `npm test` or `npm run test:system`, or only before a release. */
  readonly short: 'ci' | 'test' | 'release'
  /** What a failure blocks: a release, or any change. */
  readonly gate: 'release' | 'change'
  /** Options that change how much it tries, beside `--seed`. */
  readonly figures: F
  run(run: CheckRun<F>): Promise<void>
}

type Widened<V> = V extends number ? number : V extends string ? string : V extends boolean ? boolean : V

/** What a running check is given. */
export interface CheckRun<F extends Figures = Figures> {
  /** The values of its options in this run. */
  readonly figures: { readonly [N in keyof F]: Widened<F[N][0]> }
  readonly isShort: boolean
  /** The words of the command line that are no options. */
  readonly words: readonly string[]
  /** Given or made, and printed once somebody has read it. */
  readonly seed: number
  /** The command that runs this check again in the same form with these words. */
  again(...words: readonly string[]): string
  /** A folder that is removed when the process ends. Its path has no links, since programs print the real one. */
  scratchFolder(): string
  /** Prints a line. */
  say(line: string): void
  /** Adds to a counter. */
  count(what: string, more?: number): void
  /** Reports something that is not as it should be. */
  violation(what: string): void
  /** Reports everything that was found wrong with something; prints no more of it than anybody reads. */
  complain(what: string, found: readonly string[]): void
  /** Says what was not checked here, and why. Only the named counters may come to less for it. */
  skip(why: string, ...counters: readonly string[]): void
}

/** Declares a check, so that the types of its options are known where it runs. */
export function declareCheck<const F extends Figures>(declaration: Check<F>): Check<F> {
  return declaration
}

const maxReported = 10

/**
 * Runs a check with the options of a command line, prints what it finds and a last line with its counts, and answers with
 * the result. An exception is a violation. Throws for an option that the check does not have.
 */
export async function performCheck(check: Check, args: readonly string[]): Promise<Result> {
  const started = performance.now()
  const { form, figures, words, givenSeed, isOwn } = optionsOf(check, args)
  const counts: Record<string, number> = {}
  const skipped: string[] = []
  const excused = new Set<string>()
  let violations = 0
  let seed: number | undefined
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const violation = (what: string) => {
    violations += 1
    say(`VIOLATION  ${what}`)
  }
  const run: CheckRun = {
    figures,
    isShort: form === 'short',
    words,
    get seed() {
      seed = givenSeed
      return givenSeed
    },
    again: (...more) => {
      const own = [check.name, ...(form === 'full' ? ['--full'] : []), ...more]
      return `npm run verify -- ${own.map(quoted).join(' ')}`
    },
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
    complain: (what, found) => {
      for (const one of found.slice(0, maxReported)) violation(`${what}: ${one}`)
      const more = found.length - maxReported
      if (more <= 0) return
      violations += more
      say(`VIOLATION  ${what}: and ${more} more`)
    },
    skip: (why, ...counters) => {
      skipped.push(why)
      for (const counter of counters) excused.add(counter)
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
  const found = {
    name: check.name,
    form: isOwn ? ('own' as const) : form,
    ...(seed !== undefined && { seed }),
    counts,
    skipped,
    ...(excused.size > 0 && { excused: [...excused] }),
  }
  for (const shortfall of shortfalls(check, found)) violation(shortfall)
  const seconds = Math.round((performance.now() - started) / 1000)
  const counted = Object.entries(counts).map(([what, number]) => `${number} ${what}`)
  const seedWords = seed === undefined ? [] : [`seed ${seed}`]
  say([...counted, ...seedWords, `${violations} violations`, `${seconds} s`].join(', '))
  const result = { ...found, violations, seconds }
  const file = process.env['LANDFORM_VERIFICATION']
  if (file) writeFileSync(file, JSON.stringify(result))
  return result
}

function optionsOf({ figures }: Check, args: readonly string[]) {
  const typeOf = ([, full]: Figure) =>
    typeof full === 'boolean' ? ('boolean' as const) : ('string' as const)
  const own = Object.entries(figures).map(([key, figure]) => [key, { type: typeOf(figure) }] as const)
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { full: { type: 'boolean' }, seed: { type: 'string' }, ...Object.fromEntries(own) },
  })
  const given: Readonly<Record<string, string | boolean | undefined>> = values
  const form: Form = given['full'] === true ? 'full' : 'short'
  const chosen = Object.entries(figures).map(([key, figure]) => {
    const standard = figure[form === 'full' ? 1 : 0]
    const value = given[key]
    if (value === undefined) return [key, standard] as const
    return [key, typeof standard === 'number' ? numberOf(key, value) : value] as const
  })
  return {
    form,
    figures: Object.fromEntries(chosen),
    words: positionals,
    givenSeed: given['seed'] === undefined ? Date.now() % 2 ** 31 : numberOf('seed', given['seed']),
    /** Whether somebody chose how much is tried, so that no minimum applies. */
    isOwn: positionals.length > 0 || Object.keys(figures).some(key => given[key] !== undefined),
  }
}

function numberOf(key: string, text: string | boolean): number {
  const number = Number(text)
  if (text === '' || !Number.isFinite(number)) throw new Error(`--${key} takes a number, not "${text}"`)
  return number
}

/** A word as a shell takes it. */
function quoted(word: string): string {
  return /^[\w./:@=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/**
 * The program that users start. It answers `--version` and `--help` by itself, and runs everything else from a bundle. It is
 * bundled to CommonJS, which starts faster than an ES module; nothing imports it.
 */
import { fstatSync, readFileSync, statSync, writeSync } from 'node:fs'
import { asksForHelp, isHelp } from '../command-line/words.js'
import { exitCodes } from '../exit-code.js'
import { type Keeping, loadBundle } from './load-bundle.js'

/** What the build puts in: see `scripts/bundle.mjs`. */
declare const LANDFORM_VERSION: string
/** Width of the help that it writes. */
declare const LANDFORM_HELP_COLUMNS: number

const words = process.argv.slice(2)
const [first = '', second = ''] = words
const isMain = !['validate', 'lint', 'check'].includes(first)
/** True for a check of one file, as editors and hooks make it. */
const isOfOne = !isMain && words.length === 2 && isFile(second)
const depthOfOne = 3
/**
 * V8 reads all that is kept, so commands that run often keep what they need and no more, and a check of one file uses no code
 * that a check of many has kept, which is a third more. What was compiled under other flags it refuses; only `main` sets some.
 */
const keeping: Keeping = {
  nameOf: bundle => (isMain ? `${bundle}-${['plan', 'apply'].includes(first) ? first : 'other'}` : bundle),
  leastDepth: isOfOne ? depthOfOne : 0,
  depthOf(exitCode) {
    if (asksForHelp(words)) return 0
    // A check that finds a mistake does more, any other command less.
    return (isOfOne ? depthOfOne : 1) + ((exitCode === 0) === isMain ? 1 : 0)
  },
}
const said = answer()
if (said !== undefined) say(said)
// Every declaration is in this bundle, and of the handlers only that of `validate`.
else if (!isMain) loadBundle('check', keeping)
else {
  expectFewAnswers()
  // The other bundle is also the library: it runs as the program only when called so.
  ;(loadBundle('main', keeping) as { program: () => void }).program()
}

/** The version, or the help of the program or a command; `undefined` for all that is more than its name and the question. */
function answer(): string | undefined {
  if (words.length === 1 && ['--version', '-V', 'version'].includes(first)) return `${LANDFORM_VERSION}\n`
  const isLast = isHelp(words.at(-1) ?? '')
  if ((!isLast && first !== 'help') || isNarrow()) return undefined
  const name = (isLast ? words.slice(0, -1) : words.slice(1)).join(' ')
  const texts = JSON.parse(readFileSync(`${__dirname}/help.json`, 'utf8')) as Readonly<Record<string, string>>
  return Object.hasOwn(texts, name) ? texts[name] : undefined
}

/** True for a terminal with fewer columns than the help. What is none is not asked, since that takes milliseconds. */
function isNarrow(): boolean {
  const stdout = fstatSync(1)
  const nowhere = statSync('/dev/null', { throwIfNoEntry: false })
  if (!stdout.isCharacterDevice() || stdout.rdev === nowhere?.rdev) return false
  const { columns = 0 } = process.stdout
  return columns > 0 && columns < LANDFORM_HELP_COLUMNS
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    // The check says what is wrong with it.
    return false
  }
}

/** Writes to stdout; without a reader only the exit code is left. */
function say(text: string): void {
  const bytes = Buffer.from(text)
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN') process.stdout.write(bytes.subarray(written))
    else process.exitCode = code === 'EPIPE' ? exitCodes.brokenPipe : exitCodes.state
  }
}

/**
 * Has V8 wait a hundred times longer before it makes better code of the parser of answers, which is WebAssembly in undici.
 * It begins with that after a few kilobytes, works for a tenth of a second, and no process ends before it is done. Here,
 * since compiled code that was kept under other flags is refused.
 */
function expectFewAnswers(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--wasm-tiering-budget=180000000')
}

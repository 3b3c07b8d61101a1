import { display } from '../report/display.js'
import { version } from '../version.js'
import type { Entry } from './command.js'
import type { Values } from './command-line/read-command-line.js'
import { asksForHelp, isHelp } from './command-line/words.js'
import { commands, groups } from './commands.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import { isUsageError, UsageError } from './usage-error.js'

/** Runs one command line. Everything it prints goes through the host; the answer is the exit code. */
export async function run(argv: readonly string[], host: Host): Promise<ExitCode> {
  const [first, ...others] = argv
  const words = first === 'help' ? [...others.filter(word => word !== 'help'), '--help'] : argv
  const entry = namedBy(words)
  try {
    if (first === '--get-yargs-completions') {
      const { completions } = await import('./command-line/completions.js')
      host.stdout.write(completions(others.slice(1), { entries: commands, groups, version }))
      return exitCodes.done
    }
    const plain = plainCheck(argv)
    if (plain !== undefined) return await perform(plain.entry, plain.values, host)
    refuseFirst(words)
    if (isVersion(first)) {
      host.stdout.write(`${version}\n`)
      return exitCodes.done
    }
    const { readCommandLine } = await import('./command-line/read-command-line.js')
    const more = asksForHelp(words) ? ((await entry?.more?.()) ?? []) : []
    const view = { columns: host.stdout.columns === 0 ? 80 : host.stdout.columns, more }
    const understood = readCommandLine(askedOf(words, entry), { entries: commands, groups, version }, view)
    if (understood.kind === 'run') return await perform(understood.entry, understood.argv, host)
    host.stdout.write(understood.text)
    return exitCodes.done
  } catch (error) {
    if (!isUsageError(error)) throw error
    const about = entry?.name ?? (first !== undefined && Object.hasOwn(groups, first) ? first : undefined)
    const help = about === undefined ? 'landform --help' : `landform ${about} --help`
    host.stderr.write(`error: ${display(error.message)}\nnext: ${help}\n`)
    return exitCodes.usage
  }
}

async function perform(entry: Entry, values: Values, host: Host): Promise<ExitCode> {
  const handle = await entry.load()
  return handle(values as never, host)
}

/** The command that the first words name. */
function namedBy([first, second]: readonly string[]): Entry | undefined {
  return commands.find(
    ({ name, aliases }) => name === first || name === `${first} ${second}` || aliases?.includes(first ?? ''),
  )
}

/**
 * A check of files without any option, which is most of what editors and hooks run: `undefined` for all that is more, and
 * read as yargs reads it, which a test holds.
 */
export function plainCheck(
  words: readonly string[],
): { readonly entry: Entry; readonly values: Values } | undefined {
  const [first, ...files] = words
  const entry = commands.find(({ name }) => name === first)
  if (entry?.name !== 'validate' || files.length === 0 || files.some(word => word.startsWith('-')))
    return undefined
  const presets = Object.entries(entry.options).map(([name, option]) => {
    if (option.kind === 'flag') return [name, false] as const
    const { kind, default: preset } = option
    return [name, kind === 'list' ? (preset === undefined ? [] : [preset]) : preset] as const
  })
  return { entry, values: { ...Object.fromEntries(presets), files } }
}

/** Names that other tools have for what is called otherwise here, or is not done. */
const elsewhere: Readonly<Record<string, string>> = {
  deploy: 'use apply',
  destroy: 'Landform never takes a site down',
  diff: 'plan shows what an apply would change, and drift what differs on the site',
  up: 'use apply',
}

const isVersion = (word: string | undefined) => ['--version', '-V', 'version'].includes(word ?? '')

function refuseFirst([first, second]: readonly string[]): void {
  if (first === undefined) throw new UsageError('name a command, such as validate, plan or apply')
  if (isVersion(first) && second !== undefined)
    throw new UsageError(`there is no place for ${JSON.stringify(second)} here`)
  if (first.startsWith('-') && !isHelp(first) && !isVersion(first))
    throw new UsageError(`name the command before ${first}`)
  if (Object.hasOwn(elsewhere, first))
    throw new UsageError(`there is no command ${first}; ${elsewhere[first]}`)
}

/** Without its help where there is no such command: yargs would show another, and the line is refused for what it names. */
function askedOf(words: readonly string[], entry: Entry | undefined): readonly string[] {
  const named = words.filter(word => !isHelp(word))
  const isKnown =
    entry !== undefined || named.length === 0 || (named.length === 1 && Object.hasOwn(groups, named[0] ?? ''))
  return isKnown ? words : named
}

import { display } from '../report/display.js'
import { version } from '../version.js'
import type { Entry } from './command.js'
import type { Values } from './command-line.js'
import { commands, groups } from './commands.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import type { Host } from './host.js'
import { isUsageError, UsageError } from './usage-error.js'

/** Runs one command line. Everything it prints goes through the host; the answer is the exit code. */
export async function run(argv: readonly string[], host: Host): Promise<ExitCode> {
  const [first, ...others] = argv
  const words = first === 'help' ? [...others, '--help'] : first === 'version' ? ['--version'] : argv
  const entry = namedBy(words)
  try {
    if (first === '--get-yargs-completions') {
      const { completions } = await import('./completions.js')
      host.stdout.write(completions(others.slice(1), { entries: commands, groups, version }))
      return exitCodes.done
    }
    const plain = plainCheck(argv)
    if (plain !== undefined) return await performed(plain.entry, plain.values, host)
    refuseFirst(words)
    const { asksForHelp, readCommandLine } = await import('./command-line.js')
    const more = asksForHelp(words) ? ((await entry?.more?.()) ?? []) : []
    const view = { columns: host.stdout.columns === 0 ? 80 : host.stdout.columns, more }
    const understood = readCommandLine(words, { entries: commands, groups, version }, view)
    if (understood.kind === 'run') return await performed(understood.entry, understood.argv, host)
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

async function performed(entry: Entry, values: Values, host: Host): Promise<ExitCode> {
  const perform = await entry.load()
  return perform(values as never, host)
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

function refuseFirst([first]: readonly string[]): void {
  if (first === undefined) throw new UsageError('name a command, such as validate, plan or apply')
  if (first.startsWith('-') && !['--help', '-h', '--version', '-V'].includes(first))
    throw new UsageError(`name the command before ${first}`)
  if (Object.hasOwn(elsewhere, first))
    throw new UsageError(`there is no command ${first}; ${elsewhere[first]}`)
}

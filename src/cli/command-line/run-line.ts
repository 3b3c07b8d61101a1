import { display } from '../../report/display.js'
import { formatNext } from '../../report/next-steps.js'
import { defaultColumns } from '../../report/wrap.js'
import type { CommandEntry } from '../command.js'
import { type ExitCode, exitCodes, isUsageError, UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { chooseTextColumns } from '../terminal/process-output.js'
import { readCommandLine } from './read-command-line.js'
import { asksForHelp, isHelp } from './words.js'
import type { CommandTable } from './yargs-table.js'

/** Runs one command line with the commands of a table. */
export async function runLine(argv: readonly string[], host: Host, table: CommandTable): Promise<ExitCode> {
  const [first, ...others] = argv
  const words = first === 'help' ? [...others.filter(word => word !== 'help'), '--help'] : argv
  const entry = findEntry(words, table)
  try {
    refuseFirst(words)
    if (isVersion(first)) {
      host.stdout.write(`${table.version}\n`)
      return exitCodes.done
    }
    const more = asksForHelp(words) ? ((await entry?.more?.()) ?? []) : []
    const view = { columns: Math.min(chooseTextColumns(host.stdout), defaultColumns), more }
    const understood = readCommandLine(withoutUnknownHelp(words, entry, table), table, view)
    if (understood.kind === 'run') {
      const handle = await understood.entry.load()
      return await handle(understood.argv as never, host)
    }
    host.stdout.print(understood.text)
    return exitCodes.done
  } catch (error) {
    const group = first !== undefined && Object.hasOwn(table.groups, first) ? first : undefined
    return explainUsage(error, entry?.name ?? group, host)
  }
}

/** Prints the mistake in a command line, and where its help is; throws every other error. */
function explainUsage(error: unknown, about: string | undefined, host: Host): ExitCode {
  if (!isUsageError(error)) throw error
  const help = about === undefined ? 'landform --help' : `landform ${about} --help`
  host.stderr.print(`error: ${display(error.message)}\n${formatNext(help)}`)
  return exitCodes.usage
}

/** Finds the command that the first words name. */
function findEntry([first, second]: readonly string[], { entries }: CommandTable): CommandEntry | undefined {
  return entries.find(
    ({ name, aliases }) => name === first || name === `${first} ${second}` || aliases?.includes(first ?? ''),
  )
}

/** Names of commands in other tools, with the command to use here. */
const otherNames: Readonly<Record<string, string>> = {
  deploy: 'use apply',
  destroy: 'Landform never removes a site',
  diff: 'use plan for what apply would change, and drift for what differs on the site',
  up: 'use apply',
}

const isVersion = (word: string | undefined) => ['--version', '-V', 'version'].includes(word ?? '')

function refuseFirst([first, second]: readonly string[]): void {
  if (first === undefined) throw new UsageError('name a command, such as validate, plan or apply')
  if (isVersion(first) && second !== undefined)
    throw new UsageError(`unexpected argument ${JSON.stringify(second)}`)
  if (first.startsWith('-') && !isHelp(first) && !isVersion(first))
    throw new UsageError(`name the command before ${first}`)
  if (Object.hasOwn(otherNames, first)) throw new UsageError(`unknown command ${first}; ${otherNames[first]}`)
}

/** Drops `--help` where the command is unknown: yargs would print the help of another one. */
function withoutUnknownHelp(
  words: readonly string[],
  entry: CommandEntry | undefined,
  { groups }: CommandTable,
): readonly string[] {
  const named = words.filter(word => !isHelp(word))
  const [first = '', ...others] = named
  const isKnown = entry !== undefined || first === '' || (others.length === 0 && Object.hasOwn(groups, first))
  return isKnown ? words : named
}

import { display } from '../../report/display.js'
import { type ExitCode, exitCodes, isUsageError } from '../../report/exit-code.js'
import { describeFileFailure, formatFileFailure } from '../../report/file-problem.js'
import { defaultColumns, formatNext } from '../../report/terminal.js'
import type { Host } from '../host.js'
import { chooseTextColumns } from '../terminal/process-output.js'
import { readCommandLine } from './read-command-line.js'
import { asksForHelp, findEntry, isHelp } from './words.js'
import type { CommandTable } from './yargs-table.js'

/** Runs one command line with the commands of a table. */
export async function runLine(argv: readonly string[], host: Host, table: CommandTable): Promise<ExitCode> {
  const [first = '', ...others] = argv
  const asksFirst = first === 'help' || isHelp(first)
  const words = asksFirst ? [...others.filter(word => word !== 'help' && !isHelp(word)), '--help'] : argv
  const entry = findEntry(words, table)
  const more = asksForHelp(words) ? ((await entry?.more?.()) ?? []) : []
  const columns = Math.min(chooseTextColumns(host.stdout), defaultColumns)
  const understood = readCommandLine(words, table, { columns, more })
  const about = entry?.name ?? (Object.hasOwn(table.groups, first) ? first : undefined)
  if (!understood.ok) return explainUsage(understood.error, about, host)
  if (understood.value.kind === 'text') {
    host.stdout.print(understood.value.text)
    return exitCodes.done
  }
  try {
    const { handle, touches } = understood.value.entry
    return await handle(understood.value.argv as never, { ...host, saysSent: touches === 'sends' })
  } catch (error) {
    // Handlers check the values of options.
    if (isUsageError(error)) return explainUsage(error.message, about, host)
    const failure = describeFileFailure(error)
    if (failure === undefined) throw error
    host.stderr.print(formatFileFailure(failure))
    return failure.exitCode
  }
}

/** Prints the mistake in a command line, and the command for its help. */
function explainUsage(mistake: string, about: string | undefined, host: Host): ExitCode {
  const help = about === undefined ? 'landform --help' : `landform ${about} --help`
  host.stderr.print(`error: ${display(mistake)}\n${formatNext([help])}`)
  return exitCodes.usage
}

import { display } from '../report/display.js'
import { version } from '../version.js'
import { commands, type Entry } from './commands.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import { helpOf, overview } from './help.js'
import type { Host } from './host.js'
import { parseArguments } from './parse-arguments.js'
import { UsageError } from './usage-error.js'

/** Runs one command line. Everything it prints goes through the host; the answer is the exit code. */
export async function run(argv: readonly string[], host: Host): Promise<ExitCode> {
  const [first] = argv
  const entry = commands.find(({ name }) => name === first)
  try {
    if (entry !== undefined) return await runCommand(entry, argv.slice(1), host)
    if (first === '--version') host.stdout.write(`${version}\n`)
    else if (first === '--help' || first === '-h') host.stdout.write(overview(commands))
    else throw new UsageError(await strangeCommand(first))
    return exitCodes.done
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const help = entry === undefined ? 'landform --help' : `landform ${entry.name} --help`
    host.stderr.write(`error: ${display(error.message)}\nnext: ${help}\n`)
    return exitCodes.usage
  }
}

async function runCommand(entry: Entry, words: readonly string[], host: Host): Promise<ExitCode> {
  const command = await entry.load()
  const end = words.indexOf('--')
  if (words.slice(0, end === -1 ? undefined : end).some(word => word === '--help' || word === '-h')) {
    host.stdout.write(helpOf(entry, command))
    return exitCodes.done
  }
  return command.run(parseArguments(words, command.options, command.arguments) as never, host)
}

async function strangeCommand(written: string | undefined): Promise<string> {
  if (written === undefined) return 'name a command, such as validate, plan or apply'
  if (written.startsWith('-')) return `name the command before ${written}`
  // Only here, where it does not matter how long it takes to load.
  const { didYouMean } = await import('../manifest/did-you-mean.js')
  const meant = didYouMean(
    written,
    commands.map(({ name }) => name),
  )
  return `there is no command ${written}${meant === undefined ? '' : `; did you mean ${meant}?`}`
}

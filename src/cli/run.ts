import { display } from '../report/display.js'
import { version } from '../version.js'
import type { Entry } from './command.js'
import { commands } from './commands.js'
import { type ExitCode, exitCodes } from './exit-code.js'
import { helpOf, overview } from './help.js'
import type { Host } from './host.js'
import { parseArguments } from './parse-arguments.js'
import { isUsageError, UsageError } from './usage-error.js'

/** Runs one command line. Everything it prints goes through the host; the answer is the exit code. */
export async function run(argv: readonly string[], host: Host): Promise<ExitCode> {
  const [first, second] = argv
  const group = first === undefined ? [] : groupOf(first)
  const entry = commands.find(({ name }) => name === first || name === `${first} ${second}`)
  const isHelp = (word: string | undefined) => word === '--help' || word === '-h'
  try {
    if (entry !== undefined) return await runCommand(entry, argv.slice(entry.name.split(' ').length), host)
    if (group.length > 0 && isHelp(second)) host.stdout.write(overview(group))
    else if (group.length > 0) throw new UsageError(strangeWord(group, second))
    else if (first === '--version') host.stdout.write(`${version}\n`)
    else if (isHelp(first)) host.stdout.write(overview(commands))
    else throw new UsageError(await strangeCommand(first))
    return exitCodes.done
  } catch (error) {
    if (!isUsageError(error)) throw error
    const about = entry?.name ?? (group.length > 0 ? first : undefined)
    const help = about === undefined ? 'landform --help' : `landform ${about} --help`
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

/** The commands of two words that begin with this one. */
function groupOf(first: string): readonly Entry[] {
  return commands.filter(({ name }) => name.startsWith(`${first} `))
}

function strangeWord(group: readonly Entry[], second: string | undefined): string {
  const names = group.map(({ name }) => name)
  const choice = names.join(' or ')
  if (second === undefined || second.startsWith('-')) return `name the whole command: ${choice}`
  return `there is no such command; use ${choice}`
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

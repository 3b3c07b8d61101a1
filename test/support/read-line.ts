import { readCommandLine } from '../../src/cli/command-line/read-command-line.js'
import { groups, loadCommands } from '../../src/cli/run.js'
import { UsageError } from '../../src/report/exit-code.js'

const commands = await loadCommands()

/** Parses a command line as the program does. Throws a usage error if it is invalid. */
export function readLine(words: readonly string[]) {
  const table = { entries: commands, groups, version: '1.2.3' }
  const understood = readCommandLine(words, table, { columns: 80, more: [] })
  if (!understood.ok) throw new UsageError(understood.error)
  return understood.value
}

/** Returns the arguments that a handler gets. */
export function argumentsIn(words: readonly string[]) {
  const understood = readLine(words)
  if (understood.kind === 'text') throw new Error(`printed ${understood.text}`)
  return understood.argv
}

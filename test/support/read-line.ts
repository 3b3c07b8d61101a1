import { readCommandLine } from '../../src/cli/command-line/read-command-line.js'
import { groups, loadCommands } from '../../src/cli/run.js'
import { UsageError } from '../../src/report/exit-code.js'

const commands = await loadCommands()

/** Reads a command line as the program does. A line that cannot be read is thrown as a usage error. */
export function readLine(words: readonly string[]) {
  const table = { entries: commands, groups, version: '1.2.3' }
  const understood = readCommandLine(words, table, { columns: 80, more: [] })
  if (!understood.ok) throw new UsageError(understood.error)
  return understood.value
}

/** The options and words that a handler gets. */
export function argumentsIn(words: readonly string[]) {
  const understood = readLine(words)
  if (understood.kind === 'text') throw new Error(`printed ${understood.text}`)
  return understood.argv
}

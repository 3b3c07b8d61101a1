import { display } from '../report/display.js'
import { formatNext } from '../report/next-steps.js'
import { type CommandEntry, pair } from './command.js'
import type { Values } from './command-line/read-command-line.js'
import * as manifests from './declarations/manifests.js'
import * as sites from './declarations/sites.js'
import { type ExitCode, exitCodes, isUsageError } from './exit-code.js'
import type { Host } from './host.js'

/** A command with the values that yargs reads for it. */
export interface CommandLine {
  readonly entry: CommandEntry
  readonly values: Values
}

/** Commands that people, editors and hooks mostly start with files alone. */
export const plainCommands = {
  validate: pair(manifests.validate, async () => (await import('./commands/validate.js')).validate),
  plan: pair(sites.plan, async () => (await import('./commands/plan.js')).plan),
} as const

/**
 * Reads a line of one of these commands with files and no option, without loading yargs or what other commands declare;
 * `undefined` for all that is more. A test holds that yargs reads such a line alike.
 */
export function readPlainLine([first = '', ...files]: readonly string[]): CommandLine | undefined {
  if (!Object.hasOwn(plainCommands, first) || files.length === 0) return undefined
  if (files.some(word => word.startsWith('-'))) return undefined
  const entry = plainCommands[first as keyof typeof plainCommands]
  const presets = Object.entries(entry.options).map(([name, option]) => {
    if (option.kind === 'flag') return [name, false] as const
    const { kind, default: preset } = option
    return [name, kind === 'list' ? (preset === undefined ? [] : [preset]) : preset] as const
  })
  return { entry, values: { ...Object.fromEntries(presets), files } }
}

/** Runs a command. Its handler may find that the command line cannot be run, too. */
export async function perform({ entry, values }: CommandLine, host: Host): Promise<ExitCode> {
  try {
    const handle = await entry.load()
    return await handle(values as never, host)
  } catch (error) {
    return explainUsage(error, entry.name, host)
  }
}

/** Prints the mistake in a command line, and where its help is; throws what is none. */
export function explainUsage(error: unknown, about: string | undefined, host: Host): ExitCode {
  if (!isUsageError(error)) throw error
  const help = about === undefined ? 'landform --help' : `landform ${about} --help`
  host.stderr.print(`error: ${display(error.message)}\n${formatNext(help)}`)
  return exitCodes.usage
}

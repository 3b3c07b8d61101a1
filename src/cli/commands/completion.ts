import type { ArgumentsOf } from '../command.js'
import { completionScript } from '../command-line/completions.js'
import type { completion as declaration } from '../declarations/tools.js'
import { type ExitCode, exitCodes } from '../exit-code.js'
import type { Host } from '../host.js'
import { UsageError } from '../usage-error.js'

const shells: readonly string[] = ['bash', 'zsh', 'fish']

/** Prints a completion script, which asks the program for every word. */
export async function completion(
  { shell = '' }: ArgumentsOf<typeof declaration>,
  host: Host,
): Promise<ExitCode> {
  const wanted = shell === '' ? (host.environment['SHELL'] ?? '').replace(/^.*\//, '') : shell
  if (!shells.includes(wanted)) throw new UsageError(describeUnknownShell(shell))
  host.stdout.write(completionScript(wanted))
  return exitCodes.done
}

function describeUnknownShell(shell: string): string {
  if (shell === '') return `$SHELL is not a supported shell; use bash, zsh or fish`
  return `no completion for ${JSON.stringify(shell)}; use bash, zsh or fish`
}

import type { Argv } from 'yargs'
import type { ExitCode } from './exit-code.js'
import type { Host } from './host.js'

/** One command: its options, and what it does. A command prints by itself and answers with its exit code. */
export interface Command<A> {
  options(parser: Argv): Argv<A>
  run(argv: A, host: Host): Promise<ExitCode>
}

/** Gives a command its type from its options, so that `run` sees just what was declared. */
export function command<A>(definition: Command<A>): Command<A> {
  return definition
}

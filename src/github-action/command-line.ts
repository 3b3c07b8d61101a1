import type { Inputs } from './inputs.js'

/** A command line for the program, and the files that it will write. */
export interface CommandLine {
  readonly words: readonly string[]
  /** The Markdown file for the comment, if the command can write one. */
  readonly markdown: string | undefined
  /** The path of the saved plan, as it was given. */
  readonly saved: string | undefined
}

/** Builds the command line; `markdown` is a file that may be written. Words never pass through a shell. */
export function buildCommandLine(inputs: Inputs, markdown: string): CommandLine {
  const { command, files, args, plan } = inputs
  const reports = command === 'plan' || command === 'drift'
  const annotates = command === 'validate' || command === 'test'
  // A format in `args` is also the one for stdout.
  const printing = args.some(word => /^--format(?:=|$)/.test(word))
  const words = [
    command,
    ...(annotates && !printing ? ['--format', 'github'] : []),
    ...(reports && !printing ? ['--format', 'text'] : []),
    ...(reports ? ['--format', `markdown=${markdown}`] : []),
    ...(command === 'plan' && plan !== undefined ? ['--out', plan] : []),
    // The step itself is the consent.
    ...(command === 'apply' ? ['--yes'] : []),
    ...args,
    '--',
    ...(command === 'apply' && plan !== undefined ? [plan] : files),
  ]
  return {
    words,
    markdown: reports ? markdown : undefined,
    saved: command === 'plan' ? plan : undefined,
  }
}

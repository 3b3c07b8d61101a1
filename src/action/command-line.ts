import type { Inputs } from './inputs.js'

/** A command line for the program, and the files that it is about to write. */
export interface CommandLine {
  readonly words: readonly string[]
  /** Markdown for the comment, where the command can write it. */
  readonly markdown: string | undefined
  /** The plan that is saved, as it was named. */
  readonly saved: string | undefined
}

/** What the program is called with; `markdown` is a file that may be written. Words never pass through a shell. */
export function commandLine(inputs: Inputs, markdown: string): CommandLine {
  const { command, files, args, plan } = inputs
  const reports = command === 'plan' || command === 'drift'
  const annotates = command === 'validate' || command === 'test'
  // Whoever says how to print says it for standard output, too.
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

import { appendFile } from 'node:fs/promises'
import { display } from '../../report/display.js'
import type { ExitCode } from '../../report/exit-code.js'
import type { Host } from '../host.js'

/** The result of a command for later steps of a CI job. */
export interface CiResult {
  readonly changes: boolean
  markdown(): string
  /** Formats lines `name=value`. Default: whether there are changes, and the exit code. */
  outputs?(exitCode: ExitCode): string
}

/**
 * Adds a result to the job summary and the outputs of the GitHub workflow that runs this. Does nothing elsewhere, where
 * no variable names these files. A failure to write them does not affect the result.
 */
export async function tellCi(
  host: Host,
  { changes, markdown, outputs }: CiResult,
  exitCode: ExitCode,
): Promise<void> {
  await append(host, 'GITHUB_STEP_SUMMARY', () => `\n${markdown()}`)
  await append(
    host,
    'GITHUB_OUTPUT',
    () => outputs?.(exitCode) ?? `changes=${changes}\nexitcode=${exitCode}\n`,
  )
}

async function append(host: Host, variable: string, text: () => string): Promise<void> {
  const file = host.environment[variable]
  if (file === undefined || file === '') return
  await appendFile(file, text()).catch(({ code }: NodeJS.ErrnoException) => {
    host.stderr.print(`warning: the file in ${variable} cannot be written (${display(String(code))})\n`)
  })
}

import { type ExecFileOptions, execFile } from 'node:child_process'

/** Tests whether an external program runs here: its probe exits with 0. */
export function runsHere([command, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  return new Promise(resolve => {
    execFile(command, args, { timeout: 20_000 }, error => resolve(error === null))
  })
}

/** The result of a program. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program. Its code is 70 if a signal ended it or it does not exist. */
export function runProgram(
  program: string,
  words: readonly string[],
  options: Pick<ExecFileOptions, 'cwd' | 'env' | 'uid' | 'gid'> = {},
): Promise<Ended> {
  return new Promise(resolve => {
    execFile(program, words, { timeout: 120_000, ...options }, (error, stdout, stderr) =>
      resolve({
        code: error === null ? 0 : typeof error.code === 'number' ? error.code : 70,
        stdout,
        stderr,
      }),
    )
  })
}

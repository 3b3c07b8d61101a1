import { type ExecFileOptions, execFile } from 'node:child_process'

/** Whether a program that is no part of this project runs here: its probe ends well. */
export function runsHere([command, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  return new Promise(resolve => {
    execFile(command, args, { timeout: 20_000 }, error => resolve(error === null))
  })
}

/** How a program ended, and what it said. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end; one that a signal ended, or that is not there, has the code 70. */
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

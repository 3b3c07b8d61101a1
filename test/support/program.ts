import { execFile } from 'node:child_process'

/** Whether a program that is no part of this project runs here: its probe ends well. */
export function runsHere([command, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  return new Promise(resolve => {
    execFile(command, args, { timeout: 20_000 }, error => resolve(error === null))
  })
}

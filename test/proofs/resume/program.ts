import { landformProgram } from '../../support/landform-program.js'
import { runProgram } from '../../support/program.js'
import { waits } from '../faults/world.js'
import type { Teller } from './follow.js'

/** Waits as short as a test can have them, in place of those of the command line. */
const pollIntervals: Readonly<Record<string, string>> = {
  [waits.timeout]: '3s',
  [waits.pollInterval]: '50ms',
}

/** Runs the program itself, with the words that a shell would give it. */
export const told: Teller = async ({ folder, environment }, words) => {
  const env = { ...environment, PATH: process.env['PATH'], HOME: folder }
  const paced = words.map(word => pollIntervals[word] ?? word)
  const { code, stdout, stderr } = await runProgram(process.execPath, [landformProgram, ...paced], {
    cwd: folder,
    env,
  })
  return { exitCode: code, out: stdout, err: stderr }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../support/manifests.js'
import { valuesIn } from './post.js'
import type { Reader } from './reader.js'

/** Where the programs stand that are not of TypeScript. */
export const programs = join(root, 'test', 'proofs', 'multipart', 'programs')

/** After this a program is ended, for it hangs. */
export const longestMs = 10 * 60_000

/** A program that reads many bodies, one after the other: a line in for each, and a line out. */
export function lineProgram(command: string, args: readonly string[]): Reader {
  const program = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], timeout: longestMs })
  const ended = once(program, 'close')
  // One that has ended takes no more; its reading says so.
  program.stdin.on('error', () => undefined)
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]()
  return {
    framings: ['file'],
    async read({ path, contentType }) {
      program.stdin.write(`${path}\t${contentType}\n`)
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`${command} ended`)
      return valuesIn(value)
    },
    async close() {
      program.stdin.end()
      await ended
    },
  }
}

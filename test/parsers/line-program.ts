import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { valuesIn } from './post.js'
import type { Reader } from './reader.js'

/** A program that reads many bodies, one after the other: a line in for each, and a line out. */
export function lineProgram(command: string, args: readonly string[]): Reader {
  const program = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(program, 'close')
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

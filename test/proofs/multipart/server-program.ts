import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { longestMs } from './line-program.js'
import { httpReader } from './post.js'
import type { Reader } from './reader.js'

interface Server {
  readonly command: string
  readonly args: readonly string[]
  readonly port: number
  /** What it prints once it listens. */
  readonly says: RegExp
}

/** A program that is a server: started, awaited, asked, and stopped. */
export async function serverProgram({ command, args, port, says }: Server): Promise<Reader> {
  const program = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: longestMs })
  const ended = once(program, 'close')
  await listening(program, says)
  return httpReader(`http://127.0.0.1:${port}/`, async () => {
    program.kill()
    await ended
  })
}

function listening(program: ChildProcess, says: RegExp): Promise<void> {
  let said = ''
  return new Promise((resolve, reject) => {
    for (const stream of [program.stdout, program.stderr])
      stream?.on('data', chunk => {
        // Read to the end, or a program that says much would stop; kept only until it has said this.
        if (says.test(said)) return
        said += chunk
        if (says.test(said)) resolve()
      })
    program.once('error', reject)
    program.once('close', () => reject(new Error(`it ended: ${said}`)))
  })
}

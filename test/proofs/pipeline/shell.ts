import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Where commands are typed: a folder on a machine, and what its environment says. */
export interface Place {
  /** What the story calls it. */
  readonly name: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

/** A command that runs. Both of its outputs are one, as in a terminal and in the log of a job. */
export interface Running {
  output(): string
  /** Resolves once the output has this in it, or the command has ended. */
  untilSaid(text: string): Promise<void>
  /** Stops all of its processes, lets them go on, or ends them as a machine that loses its power would. */
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void
  /** The exit code; `undefined` where it was killed. */
  readonly ended: Promise<number | undefined>
}

/** Types a command into the shell that GitHub runs the steps of a workflow with. */
export function typed(command: string, { folder, environment }: Place): Running {
  const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', `exec 2>&1\n${command}`]
  const child = spawn('bash', words, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
    // A group of its own, so that what it started can be ended with it.
    detached: true,
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = once(child, 'close').then(([code]) => (code as number | null) ?? undefined)
  return {
    output: () => output,
    async untilSaid(text) {
      let isOver = false
      void ended.then(() => {
        isOver = true
      })
      while (!output.includes(text) && !isOver) await Promise.race([once(child.stdout, 'data'), ended])
    },
    signal: name => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, name)
    },
    ended,
  }
}

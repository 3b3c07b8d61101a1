import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** A run of the program. */
export interface ProgramRun {
  readonly program: string
  readonly words: readonly string[]
  readonly folder: string
  readonly environment: NodeJS.ProcessEnv
}

/**
 * Runs the program with the Node.js that runs the action, and tells its exit code. What GitHub sends when a run is
 * cancelled is handed on, and the program decides what a wait that is broken off leaves behind.
 */
export function runProgram({ program, words, folder, environment }: ProgramRun): Promise<number> {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const signals = ['SIGINT', 'SIGTERM'] as const
  const handOn = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of signals) process.on(signal, handOn)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      for (const one of signals) process.off(one, handOn)
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
    })
  })
}

/** The variables of the step without its inputs: the program has no use for the token of GitHub. */
export function withoutInputs(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('INPUT_')))
}

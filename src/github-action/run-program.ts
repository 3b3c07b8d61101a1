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
 * Runs the program with the Node.js of the action, and returns its exit code. Signals of a cancelled run are forwarded,
 * so that the program can end its wait properly.
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

/** Removes the inputs of the step from its variables: the program needs no GitHub token. */
export function withoutInputs(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('INPUT_')))
}

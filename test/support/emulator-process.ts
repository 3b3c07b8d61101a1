import { type SpawnOptions, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { landformProgram } from './landform-program.js'

/** An emulator in a process of its own. */
export interface EmulatorProcess {
  /** The addresses of its sites. */
  readonly urls: readonly string[]
  kill(signal?: NodeJS.Signals): void
}

type Surroundings = Pick<SpawnOptions, 'cwd' | 'env'> & {
  /** What runs, and the words before `emulate`. */
  readonly command?: readonly [program: string, ...words: readonly string[]]
}

/** Starts one of so many sites, and waits until it has said where they are. */
export async function emulatorProcess(
  options: readonly string[],
  count = 1,
  { command = [process.execPath, landformProgram], ...surroundings }: Surroundings = {},
): Promise<EmulatorProcess> {
  const [program, ...words] = command
  const sites = count === 1 ? [] : ['--sites', String(count)]
  const child = spawn(program, [...words, 'emulate', ...sites, ...options], {
    ...surroundings,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const urls: string[] = []
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    urls.push(line)
    if (urls.length === count) break
  }
  if (urls.length < count) throw new Error(`the emulator ended with ${child.exitCode}`)
  return { urls, kill: signal => child.kill(signal) }
}

import { type SpawnOptions, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { atEnd } from './at-end.js'
import { landformProgram } from './landform-program.js'

/** An emulator that runs as a separate process. */
export interface EmulatorProcess {
  readonly urls: readonly string[]
  kill(signal?: NodeJS.Signals): void
}

type Surroundings = Pick<SpawnOptions, 'cwd' | 'env'> & {
  /** The program, and its arguments before `emulate`. Default: the built `landform`. */
  readonly command?: readonly [program: string, ...words: readonly string[]]
}

/** Starts an emulator with `count` sites, and waits until it has printed their addresses. */
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
  atEnd(() => child.kill())
  const urls: string[] = []
  for await (const line of createInterface({ input: child.stdout as Readable })) {
    urls.push(line)
    if (urls.length === count) break
  }
  if (urls.length < count) throw new Error(`the emulator ended with ${child.exitCode}`)
  return { urls, kill: signal => child.kill(signal) }
}

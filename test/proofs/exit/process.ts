import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { landformProgram } from '../../support/landform-program.js'
import { someSecrets } from '../../support/some-secrets.js'

/** How a process ended, by its code or as a shell would count its signal, and every byte that came. */
export interface Gone {
  readonly code: number
  readonly out: Buffer
  readonly err: string
}

export interface Surroundings {
  readonly cwd: string
  /** A module that is loaded first, to harm what the program stands on. */
  readonly harm?: string
  /** Where standard output goes in place of a pipe. */
  readonly out?: number
  /** Takes so many bytes at a time, with a pause after each; or hangs up after the first. */
  readonly reads?: 'slowly' | 'once'
}

const numbers: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGKILL: 9,
  SIGTERM: 15,
}
const longestMs = 60_000

/** Starts the program, or another script in its place, and waits for its end; one that never ends is killed. */
export async function gone(
  words: readonly string[],
  { cwd, harm, out = -1, reads }: Surroundings,
  meet: (child: ChildProcess) => void = () => undefined,
): Promise<Gone> {
  const [script = ''] = words
  const program = script.endsWith('.cjs') ? words : [landformProgram, ...words]
  const preload = harm === undefined ? [] : ['-r', harm]
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', ...someSecrets }
  const stdio = ['ignore', out === -1 ? 'pipe' : out, 'pipe'] as const
  const child = spawn(process.execPath, [...preload, ...program], { cwd, env, stdio: [...stdio] })
  const watchdog = globalThis.setTimeout(() => child.kill('SIGKILL'), longestMs)
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  let err = ''
  child.stderr?.on('data', chunk => {
    err += chunk
  })
  const pieces: Buffer[] = []
  const reading = (async () => {
    for await (const piece of child.stdout ?? []) {
      pieces.push(piece as Buffer)
      if (reads === 'once') child.stdout?.destroy()
      if (reads === 'slowly') await setTimeout(1)
    }
  })().catch(() => undefined)
  meet(child)
  const [code, signal] = await exited
  await reading
  clearTimeout(watchdog)
  return { code: code ?? 128 + (numbers[signal ?? ''] ?? 0), out: Buffer.concat(pieces), err }
}

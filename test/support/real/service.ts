import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Finds a program on the PATH; `undefined` if it is not installed. */
export async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name)
    if (await isExecutable(path)) return path
  }
  return undefined
}

/** Tests whether this process may run a file. */
export function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** A server program that runs in the background, and ends with this process. */
export interface Service {
  readonly child: ChildProcess
  /** Ends the server with a signal. Default: `SIGKILL`. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Starts a server program, with its output in `<folder>/<name>.log`, and waits until it is ready. */
export async function startService(
  name: string,
  words: readonly [program: string, ...words: readonly string[]],
  { folder, isReady }: { readonly folder: string; isReady(): Promise<boolean> },
): Promise<Service> {
  const [program, ...rest] = words
  const log = createWriteStream(join(folder, `${name}.log`), { flags: 'a' })
  const child = spawn(program, rest, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const stop = async (signal: NodeJS.Signals = 'SIGKILL') => {
    process.off('exit', end)
    if (hasEnded()) return
    child.kill(signal)
    await once(child, 'exit')
  }
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isReady().catch(() => false)) return { child, stop }
    if (hasEnded()) break
    await setTimeout(100)
  }
  await stop()
  throw new Error(`${name} did not start: ${join(folder, `${name}.log`)}`)
}

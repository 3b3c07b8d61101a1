import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { landformProgram } from '../../support/landform-program.js'

/** A process of the program on a stage. */
export interface Actor {
  /** Its name for the service and the judge. */
  readonly name: string
  readonly pid: number
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  isRunning(): boolean
  /** Sends a signal, and returns the time. */
  signal(signal: NodeJS.Signals): number
  /** Reads its whole output. */
  printed(): Promise<string>
  /** Lists the warnings of Node.js in its output. A correct program prints none. */
  warnings(): Promise<readonly string[]>
}

export interface Acting {
  readonly name: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly words: readonly string[]
  readonly logFile: string
  /** The program, if it is not that of this checkout. */
  readonly program?: string
}

const preload = ['--import', fileURLToPath(new URL('./named-requests.js', import.meta.url))]

/** Starts the program, with its output in a file. */
export function startActor({
  name,
  folder,
  environment,
  words,
  logFile,
  program = landformProgram,
}: Acting): Actor {
  const own = { HOME: folder, STAGE_NAME: name }
  const child = spawn(process.execPath, [...preload, program, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...own, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = createWriteStream(logFile)
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  const ended = once(child, 'close').then(([code, signal]) => {
    log.end()
    return (code ?? signal) as number | NodeJS.Signals
  })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    name,
    pid: child.pid ?? 0,
    ended,
    isRunning,
    signal(signal) {
      if (isRunning()) child.kill(signal)
      return Date.now()
    },
    printed: () => readFile(logFile, 'utf8'),
    warnings: async () =>
      (await readFile(logFile, 'utf8')).split('\n').filter(line => /^\(node:\d+\) .*Warning/.test(line)),
  }
}

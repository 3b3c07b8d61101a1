import { systemClock } from '../../library/system-ports.js'
import { yamlLimits } from '../../manifest/yaml-limits.js'
import { wrapLines } from '../../report/terminal.js'
import type { BackgroundStart, Host, Signal, TypedAnswer } from '../host.js'
import { chooseTextColumns, isTerminal, processOutput, revealWords } from './process-output.js'

/** Creates the host of the real process. `onBroken` is called once stdout cannot be written any more. */
export function processHost(onBroken: (code: string | undefined) => void): Host {
  const environment = takeEnvironment(process.env)
  return {
    environment,
    stdout: processOutput(1, onBroken),
    // If nobody reads the progress, the work continues, and only its exit code matters.
    stderr: processOutput(2, () => undefined),
    clock: systemClock,
    random: () => Math.random(),
    async readInput(maxBytes = yamlLimits.bytes) {
      const chunks: Buffer[] = []
      let length = 0
      for await (const chunk of process.stdin) {
        chunks.push(chunk as Buffer)
        length += (chunk as Buffer).byteLength
        if (length > maxBytes) break
      }
      return Buffer.concat(chunks)
    },
    async ask(question, stop) {
      const { stdin, stderr } = process
      const columns = chooseTextColumns(this.stderr)
      const { createInterface } = await import('node:readline/promises')
      const lines = createInterface({ input: stdin, output: stderr })
      const left = new Promise<TypedAnswer>(resolve => {
        lines.once('SIGINT', () => resolve({ kind: 'interrupt' }))
        lines.once('close', () => resolve({ kind: 'end' }))
        const interrupt = () => resolve({ kind: 'interrupt' })
        stop?.addEventListener('abort', interrupt, { once: true })
        if (stop?.aborted === true) interrupt()
      })
      // `question` does not resolve once the input has ended; `left` does.
      const line = lines.question(wrapLines(revealWords(question), columns)).then(
        (text): TypedAnswer => ({ kind: 'line', text }),
        () => left,
      )
      const answer = await Promise.race([line, left])
      lines.close()
      if (answer.kind !== 'line') stderr.write('\n')
      return answer
    },
    async prompt(question) {
      const { prompt } = await import('./prompt.js')
      return prompt(question, { input: process.stdin, output: process.stderr })
    },
    get isInteractive() {
      return isTerminal(0) && isTerminal(2) && environment['CI'] === undefined
    },
    // Otherwise V8 lets the heap grow to several times its content, and the space for new objects to 32 MB. Collecting
    // more often costs CPU time.
    async keepHeapSmall() {
      const { setFlagsFromString } = await import('node:v8')
      setFlagsFromString('--heap-growing-percent=25')
      setFlagsFromString('--semi-space-growth-factor=1')
    },
    every(milliseconds, callback) {
      const timer = setInterval(callback, milliseconds).unref()
      return () => clearInterval(timer)
    },
    onSignal,
    startInBackground,
    leave: exitCode => process.exit(exitCode),
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const satisfies readonly Signal[]

function onSignal(listener: (signal: Signal) => void): () => void {
  let first = true
  const handle = (signal: Signal) => {
    if (first) {
      first = false
      listener(signal)
      return
    }
    // A closing terminal may send SIGHUP several times, which must not end the process at once.
    if (signal === 'SIGHUP') return
    stop()
    // Ends the process by that signal, so that a shell sees the cause.
    process.kill(process.pid, signal)
  }
  const stop = () => {
    for (const signal of signals) process.off(signal, handle)
  }
  for (const signal of signals) process.on(signal, handle)
  return stop
}

/** Stays in the environment: it contains no secret, and decides which part of an internal error is printed. */
const left = 'LANDFORM_DEBUG'

/**
 * Removes the variables of Landform from the environment of the process, so that Node's reports and child processes do
 * not see them. Returns the original environment. Values are kept as bytes, because strings would appear in every heap
 * snapshot.
 */
export function takeEnvironment(
  environment: Record<string, string | undefined>,
): Readonly<Record<string, string | undefined>> {
  const taken = { ...environment }
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('LANDFORM_') || name === left || value === undefined) continue
    const bytes = Buffer.from(value)
    Object.defineProperty(taken, name, { enumerable: true, get: () => bytes.toString() })
    delete environment[name]
  }
  return taken
}

/**
 * Starts this program in a new session that outlives the terminal, and waits until it has printed `lines` lines or has
 * ended. It shares no open file with this process, so `$(…)` does not wait for it.
 */
async function startInBackground(words: readonly string[], lines: number): Promise<BackgroundStart> {
  const [, program = ''] = process.argv
  const { spawn } = await import('node:child_process')
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, program, ...words], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const printed = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed.out += text
      if (printed.out.split('\n').length <= lines) return
      for (const stream of [child.stdout, child.stderr]) stream.destroy()
      child.unref()
      resolve({ ...printed, exitCode: undefined })
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed.err += text
    })
    child.on('error', reject)
    child.on('close', exitCode => resolve({ ...printed, exitCode: exitCode ?? undefined }))
  })
}

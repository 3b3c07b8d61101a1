import { createInterface } from 'node:readline/promises'
import type { Host, Output, Signal } from './host.js'

/** The real process. */
export function processHost(): Host {
  const { env, stdin, stdout, stderr } = process
  return {
    environment: env,
    stdout: outputOf(stdout),
    stderr: outputOf(stderr),
    clock: {
      now: () => Date.now(),
      monotonicMs: () => performance.now(),
      sleep,
    },
    random: () => Math.random(),
    async readInput() {
      const chunks: Buffer[] = []
      for await (const chunk of stdin) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks)
    },
    async ask(question) {
      const lines = createInterface({ input: stdin, output: stderr })
      try {
        return await lines.question(question)
      } finally {
        lines.close()
      }
    },
    isInteractive: stdin.isTTY === true && stderr.isTTY === true && env['CI'] === undefined,
    onSignal,
  }
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    write: text => {
      stream.write(text)
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns ?? 0
    },
  }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.max(0, milliseconds))
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}

function onSignal(listener: (signal: Signal) => void): () => void {
  let first = true
  const handle = (signal: Signal) => {
    if (first) {
      first = false
      listener(signal)
      return
    }
    stop()
    // Ends the process the way that signal does, so that a shell sees why.
    process.kill(process.pid, signal)
  }
  const stop = () => {
    process.off('SIGINT', handle)
    process.off('SIGTERM', handle)
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
  return stop
}

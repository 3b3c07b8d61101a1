import { exitCodes } from '../exit-code.js'
import type { Host, Signal } from '../host.js'

/** An abort signal that the first interrupt of the user gives. */
export interface StopSignal {
  readonly signal: AbortSignal
  /** The exit code of the interrupt. */
  exitCode(): (typeof signalCodes)[Signal]
  forget(): void
}

/** What a process that a signal ended tells its caller. */
export const signalCodes = {
  SIGHUP: exitCodes.hungUp,
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
} as const satisfies Record<Signal, number>

const stopping =
  'stopping: an answer that is awaited has half a minute, and a configuration goes on by itself. Interrupt again to end at once; the same command goes on, and sends nothing twice'

/**
 * Listens for the user. The second interrupt ends the process, which is not this one's business. `words` says what the
 * first one does.
 */
export function stopSignal(host: Host, words: () => string = () => stopping): StopSignal {
  const controller = new AbortController()
  let received: Signal = 'SIGINT'
  const forget = host.onSignal(signal => {
    received = signal
    host.stderr.write(`\n${words()}\n`)
    controller.abort()
  })
  return {
    signal: controller.signal,
    exitCode: () => signalCodes[received],
    forget,
  }
}

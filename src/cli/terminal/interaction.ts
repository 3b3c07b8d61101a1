import { display } from '../../report/display.js'
import { exitCodes } from '../../report/exit-code.js'
import type { Arguments } from '../command.js'
import type { commonOptions, yesOption } from '../command-options.js'
import type { Host, Signal } from '../host.js'
import type { Failure } from './output.js'

interface ConfirmQuestion {
  readonly text: string
  /** The only answer that confirms. */
  readonly expected: string
  /** The beginning of the message if the person does not confirm. */
  readonly prefix?: string
  /** A signal that also ends the question. */
  readonly stop?: StopSignal
}

/** Asks a person to confirm; returns a failure unless the expected words were typed. */
export async function askFor(
  host: Host,
  { text, expected, prefix = '', stop }: ConfirmQuestion,
): Promise<Failure | undefined> {
  const answer = await host.ask(text, stop?.signal)
  if (answer.kind === 'interrupt') {
    const exitCode = stop?.exitCode() ?? exitCodes.interrupted
    return { exitCode, message: `${prefix}interrupted` }
  }
  if (answer.kind === 'line' && answer.text.trim() === expected) return undefined
  return {
    exitCode: exitCodes.refused,
    message: `${prefix}the answer was not \`${expected}\``,
  }
}

/** A change that needs the consent of a person. */
interface Confirmation extends Omit<ConfirmQuestion, 'text' | 'expected'> {
  /** Such as `Submit 3 sites?`. */
  readonly question: string
  /** Names the change in the message without a prompt, such as ` to submit 3 sites`. */
  readonly purpose?: string
  /** The end of that message, such as `; nothing was submitted`. */
  readonly without: string
  /** Such as `review the plan`. */
  readonly review?: string
}

/** Asks a person to confirm with `yes`, unless `--yes` was given; fails if no prompt is possible. */
export async function confirm(
  host: Host,
  choices: Pick<Arguments<typeof yesOption & typeof commonOptions>, 'yes' | 'no-input'>,
  { question, purpose = '', without, review, ...asking }: Confirmation,
): Promise<Failure | undefined> {
  if (choices.yes) return undefined
  const text = `${question}${question.endsWith('\n') ? '' : ' '}Type \`yes\` to confirm: `
  if (host.isInteractive && !choices['no-input']) return askFor(host, { ...asking, text, expected: 'yes' })
  const because = choices['no-input'] ? '--no-input is set' : 'input is not a terminal'
  return {
    exitCode: exitCodes.refused,
    message: `confirmation required${purpose}, but ${because}${without}`,
    next: [`${review === undefined ? '' : `${review}, then `}run the same command with --yes`],
  }
}

/** An abort signal that fires on the first interrupt by the user. */
export interface StopSignal {
  readonly signal: AbortSignal
  /** The exit code of the interrupt. */
  exitCode(): (typeof signalCodes)[Signal]
  forget(): void
}

/** The exit codes of signals. */
export const signalCodes = {
  SIGHUP: exitCodes.hungUp,
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
} as const satisfies Record<Signal, number>

const stopping =
  'Stopping: waiting up to 30 s for the response to a request. Press Ctrl-C again to leave now. The configuration continues on the service; the same command resumes the wait.'

/** Listens for interrupts. The second one ends the process. `words` announces the effect of the first. */
export function stopSignal(host: Host, words: () => string = () => stopping): StopSignal {
  const controller = new AbortController()
  let received: Signal = 'SIGINT'
  const forget = host.onSignal(signal => {
    received = signal
    host.stderr.print(`\n${words()}\n`)
    controller.abort()
  })
  return {
    signal: controller.signal,
    exitCode: () => signalCodes[received],
    forget,
  }
}

/**
 * Notifies a person in another window that a run has ended: with the bell, and with the notification that some
 * terminals show (OSC 9). Does nothing if stderr is not a terminal.
 */
export function notify({ stderr }: Host, text: string): void {
  // A word comes first: some terminals read a number there as a command.
  if (stderr.isTerminal) stderr.write(`\x07\x1b]9;Landform: ${display(text, 200)}\x07`)
}

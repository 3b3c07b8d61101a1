import type { Clock } from '../apply/clock.js'

export interface Output {
  write(text: string): void
  /** Writes text for people, wrapped to the width of the terminal. */
  print(text: string): void
  readonly isTerminal: boolean
  /** True once writing is no longer possible. */
  readonly isBroken: boolean
  /** Width of the terminal; 0 if unknown. */
  readonly columns: number
  /** Height of the terminal; 0 if unknown. */
  readonly rows: number
  /** Keeps these lines below all output of a terminal, replacing earlier ones. An empty list removes them. */
  pin(lines: readonly string[]): void
  /** Leaves the pinned lines on the screen, and no longer keeps them below other output. */
  unpin(): void
}

/** The reaction of a person to a question: a typed line, the end of the input, or an interrupt. */
export type TypedAnswer =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'interrupt' }

/** A question of a form: a line to type or, with `choices`, one of a list. */
export interface FormQuestion {
  readonly message: string
  /** The default, for an empty line. */
  readonly initial?: string | undefined
  readonly choices?: readonly string[] | undefined
  /** The text that a person sees for one of the choices. */
  label?(choice: string): string
  /** Returns the reason to reject a line; the person may then enter another. */
  rejection(line: string): string | undefined
}

/** The first output of a program in the background; the exit code if it has ended already. */
export interface BackgroundStart {
  readonly out: string
  readonly err: string
  readonly exitCode: number | undefined
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** The process, as the commands see it. */
export interface Host {
  /** True for a command whose requests change a site: its failures report what was sent. */
  readonly saysSent?: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stdout: Output
  readonly stderr: Output
  readonly clock: Clock
  random(): number
  /** Reads standard input up to one chunk over the limit, so that longer input is detected. Default: the limit of manifests. */
  readInput(maxBytes?: number): Promise<Uint8Array>
  /** Asks a person, and waits for a line, an interrupt, the end of the input, or `stop`. Requires `isInteractive`. */
  ask(question: string, stop?: AbortSignal): Promise<TypedAnswer>
  /** Asks one question of a form, with an editor for the line. Requires `isInteractive`. */
  prompt(question: FormQuestion): Promise<TypedAnswer | { readonly kind: 'back' }>
  readonly isInteractive: boolean
  /** Calls back at an interval, for signs of progress; does not keep the process alive. Returns a function that stops it. */
  every(milliseconds: number, callback: () => void): () => void
  /** Makes garbage collection run earlier: a run over many sites allocates much memory that is soon unused. */
  keepHeapSmall(): Promise<void>
  /** Calls back on the first signal; the second one ends the process. Returns a function that stops listening. */
  onSignal(listener: (signal: Signal) => void): () => void
  /** Starts this program in the background, and waits for `lines` lines of its output. */
  startInBackground(words: readonly string[], lines: number): Promise<BackgroundStart>
  /** Ends the process at once. */
  leave(exitCode: number): void
}

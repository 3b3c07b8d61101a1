import type { Clock } from '../apply/clock.js'

export interface Output {
  write(text: string): void
  /** Writes text for people, wrapped to the width of the terminal. */
  print(text: string): void
  readonly isTerminal: boolean
  /** True once nothing can be written any more. */
  readonly isBroken: boolean
  /** Width of the terminal; 0 where it is not known. */
  readonly columns: number
  /** Height of the terminal; 0 where it is not known. */
  readonly rows: number
  /** Keeps these lines below all output of a terminal, replacing earlier ones. An empty list removes them. */
  pin(lines: readonly string[]): void
  /** Leaves the lines that are kept where they stand. */
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
  /** The value of an empty line, or of pressing Enter at once. */
  readonly initial?: string | undefined
  readonly choices?: readonly string[] | undefined
  /** The text that a person sees for one of the choices. */
  label?(choice: string): string
  /** The reason why a line is rejected; the person may then write another. */
  rejection(line: string): string | undefined
}

/** The first output of a program in the background; the exit code if it has ended already. */
export interface BackgroundStart {
  readonly out: string
  readonly err: string
  readonly exitCode: number | undefined
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** Everything that the commands know of the process around them. */
export interface Host {
  /** True for a command that sends requests which change a site: its failures say what was sent. */
  readonly saysSent?: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stdout: Output
  readonly stderr: Output
  readonly clock: Clock
  random(): number
  /**
   * Reads standard input up to one chunk over the limit, so that the caller sees that it is too long. The default is the
   * limit of manifests.
   */
  readInput(maxBytes?: number): Promise<Uint8Array>
  /** Asks a person and waits for the line, the keys that mean no, or `stop`; only where `isInteractive`. */
  ask(question: string, stop?: AbortSignal): Promise<TypedAnswer>
  /** Asks one question of a form, with an editor for the line; only where `isInteractive`. */
  prompt(question: FormQuestion): Promise<TypedAnswer | { readonly kind: 'back' }>
  readonly isInteractive: boolean
  /** Calls back again and again, for signs of life; keeps no process alive. Returns how to stop. */
  every(milliseconds: number, callback: () => void): () => void
  /** Collects garbage earlier: a run over many sites allocates much for each that is soon done. */
  keepHeapSmall(): Promise<void>
  /** Calls back on the first signal; the second one ends the process. Returns how to stop listening. */
  onSignal(listener: (signal: Signal) => void): () => void
  /** Starts this program in the background, and waits for `lines` lines of its output. */
  startInBackground(words: readonly string[], lines: number): Promise<BackgroundStart>
  /** Ends the process at once. */
  leave(exitCode: number): void
}

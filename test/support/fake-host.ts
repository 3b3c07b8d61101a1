import type { Host, Signal } from '../../src/cli/host.js'
import { revealWords } from '../../src/cli/terminal/process-output.js'
import { wrapLines } from '../../src/report/terminal.js'
import { virtualClock } from './virtual-clock.js'

export interface FakeHost extends Host {
  /** Returns all output, as shown on a terminal. */
  readonly screen: () => string
  readonly out: () => string
  readonly err: () => string
  /** Acts as if the user sent a signal. */
  signal(signal: Signal): void
  /** Runs the callbacks that are due at regular intervals. */
  tick(): void
}

export interface FakeHostOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string
  /** The answer to each question. Without it there is no terminal. */
  readonly answer?: string
  /** The input at the questions of a form, in order; then an interrupt. */
  readonly answers?: readonly string[]
  /** The width for wrapping. Default: no wrapping, so tests can match whole sentences. */
  readonly columns?: number
  /** Replaces texts that change from run to run, before lines are wrapped. */
  readonly settle?: (text: string) => string
}

/** Returns a process without a terminal, with a virtual clock. */
export function fakeHost({
  environment = {},
  input = '',
  answer,
  answers,
  columns,
  settle = text => text,
}: FakeHostOptions = {}): FakeHost {
  const written: { to: 'out' | 'err'; text: string }[] = []
  const write = (to: 'out' | 'err', text: string) => {
    written.push({ to, text })
  }
  const output = (to: 'out' | 'err') => ({
    write: (text: string) => write(to, text),
    print: (text: string) => {
      const shown = revealWords(text)
      write(to, columns === undefined ? shown : wrapLines(settle(shown), columns))
    },
    isTerminal: false,
    isBroken: false,
    columns: columns ?? 0,
    rows: 0,
    pin: () => undefined,
    unpin: () => undefined,
  })
  const text = (...streams: string[]) =>
    written
      .filter(({ to }) => streams.includes(to))
      .map(piece => piece.text)
      .join('')
  const typed = [...(answers ?? [])]
  const listeners = new Set<(signal: Signal) => void>()
  const ticking = new Set<() => void>()
  return {
    environment,
    stdout: output('out'),
    stderr: output('err'),
    clock: virtualClock(),
    random: () => 0.5,
    readInput: async () => Buffer.from(input),
    ask: async question => {
      written.push({ to: 'err', text: `${question}${answer ?? ''}\n` })
      return { kind: 'line', text: answer ?? '' }
    },
    async prompt({ message, initial = '', choices, label = choice => choice, rejection }) {
      for (;;) {
        const next = typed.shift()
        const list = choices === undefined ? '' : `[${choices.map(label).join(' | ')}] `
        written.push({ to: 'err', text: `${message} ${list}${next === '\x1b' ? 'Esc' : (next ?? '^C')}\n` })
        if (next === undefined) return { kind: 'interrupt' }
        if (next === '\x1b') return { kind: 'back' }
        const line = next === '' ? initial : next
        // A list accepts only its own entries, without further checks.
        if (choices !== undefined && !choices.includes(line)) throw new Error(`not in the list: ${line}`)
        const refusal = choices === undefined ? rejection(line) : undefined
        if (refusal === undefined) return { kind: 'line', text: line }
        written.push({ to: 'err', text: `${refusal}\n` })
      }
    },
    isInteractive: answer !== undefined || answers !== undefined,
    keepHeapSmall: async () => undefined,
    every(_, tell) {
      ticking.add(tell)
      return () => ticking.delete(tell)
    },
    onSignal(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    startInBackground: async () => ({ out: '', err: '', exitCode: 70 }),
    leave: () => undefined,
    screen: () => text('out', 'err'),
    out: () => text('out'),
    err: () => text('err'),
    signal: signal => {
      for (const listener of listeners) listener(signal)
    },
    tick: () => {
      for (const tell of ticking) tell()
    },
  }
}

import type { Host, Signal } from '../../src/cli/host.js'
import { virtualClock } from './virtual-clock.js'

export interface FakeHost extends Host {
  /** Everything written, as a person at a terminal would see it. */
  readonly screen: () => string
  readonly out: () => string
  readonly err: () => string
  /** As if the user sent a signal. */
  signal(signal: Signal): void
}

export interface FakeHostOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string
  /** What a person answers; without it nobody is there to ask. */
  readonly answer?: string
}

/** A process without a terminal, with a clock that does not wait. */
export function fakeHost({ environment = {}, input = '', answer }: FakeHostOptions = {}): FakeHost {
  const written: { to: 'out' | 'err'; text: string }[] = []
  const output = (to: 'out' | 'err') => ({
    write: (text: string) => {
      written.push({ to, text })
    },
    isTerminal: false,
    columns: 0,
  })
  const text = (...streams: string[]) =>
    written
      .filter(({ to }) => streams.includes(to))
      .map(piece => piece.text)
      .join('')
  const listeners = new Set<(signal: Signal) => void>()
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
    isInteractive: answer !== undefined,
    onSignal(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    screen: () => text('out', 'err'),
    out: () => text('out'),
    err: () => text('err'),
    signal: signal => {
      for (const listener of listeners) listener(signal)
    },
  }
}

import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { atEnd } from '../../support/at-end.js'

/** A size in characters. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** Terminals of a private tmux server, which leaves the user's sessions alone and reads no user settings. */
export interface Terminals {
  /** Opens a terminal of this size that runs a shell command. */
  open(name: string, size: Size, command: string): void
  resize(name: string, columns: number): void
  /** Types a key by its name in tmux, such as `C-c`. */
  type(name: string, key: string): void
  /** Reads the screen, optionally with the lines that were scrolled off. */
  read(name: string, options: { readonly withHistory: boolean }): string
  /** Waits until a program in a terminal sends a signal: `tmux wait-for -S SIGNAL`. */
  awaitSignal(signal: string): void
  close(name: string): void
}

export function hasTmux(): boolean {
  return spawnSync('tmux', ['-V']).status === 0
}

/** Longer than tmux takes for any answer, or for any signal of a test. */
const maxMs = 60_000

/** Prepares terminals whose server keeps its socket in a folder, and is ended at the end of the file. */
export function terminalsIn(folder: string): Terminals {
  const server = ['-S', join(folder, 'tmux')]
  const tmux = (...words: readonly string[]) =>
    execFileSync('tmux', [...server, '-f', '/dev/null', ...words], { encoding: 'utf8', timeout: maxMs })
  atEnd(() => spawnSync('tmux', [...server, 'kill-server']), 'file')
  return {
    open(name, { columns, rows }, command) {
      const size = ['-x', String(columns), '-y', String(rows)]
      // Keeps the server running without terminals: while it exits, a new one might still be sent to it.
      tmux(
        'new-session',
        '-d',
        '-s',
        name,
        ...size,
        `clear; ${command}`,
        ';',
        'set',
        '-g',
        'exit-empty',
        'off',
      )
    },
    resize: (name, columns) => void tmux('resize-window', '-t', name, '-x', String(columns)),
    type: (name, key) => void tmux('send-keys', '-t', name, key),
    read: (name, { withHistory }) =>
      tmux('capture-pane', '-p', ...(withHistory ? ['-S', '-200'] : []), '-t', name).trimEnd(),
    awaitSignal: signal => void tmux('wait-for', signal),
    close: name => void tmux('kill-session', '-t', name),
  }
}

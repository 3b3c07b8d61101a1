import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** A size in characters. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** Terminals of tmux, below a server of their own: no session of the user is touched, and no setting of the user is read. */
export interface Terminals {
  /** Opens a terminal of this size with a command of the shell. */
  open(name: string, size: Size, command: string): void
  resize(name: string, columns: number): void
  /** Types a key by the name that tmux has for it, such as `C-c`. */
  type(name: string, key: string): void
  /** Reads the screen; with `withHistory` what was scrolled off it, too. */
  read(name: string, options: { readonly withHistory: boolean }): string
  /** Waits until a program in a terminal gives a signal: `tmux wait-for -S SIGNAL`. */
  awaitSignal(signal: string): void
  close(name: string): void
  closeAll(): void
}

/** True where tmux is installed. */
export function hasTmux(): boolean {
  return spawnSync('tmux', ['-V']).status === 0
}

/** No answer of tmux takes as long, and no signal that a test awaits. */
const maxMs = 60_000

/** Prepares terminals whose server keeps its socket in a folder. */
export function terminalsIn(folder: string): Terminals {
  const server = ['-S', join(folder, 'tmux')]
  const tmux = (...words: readonly string[]) =>
    execFileSync('tmux', [...server, '-f', '/dev/null', ...words], { encoding: 'utf8', timeout: maxMs })
  return {
    open(name, { columns, rows }, command) {
      const size = ['-x', String(columns), '-y', String(rows)]
      // Without its last terminal the server would end by itself, and the next one might still be sent to it.
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
    closeAll: () => void spawnSync('tmux', [...server, 'kill-server']),
  }
}

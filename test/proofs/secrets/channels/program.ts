import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { landformProgram } from '../../../support/landform-program.js'
import type { Ledger } from '../ledger.js'
import type { Place } from './place.js'

export interface Run {
  /** Options of Node. */
  readonly node?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** The name of its channels; by default, the first word. */
  readonly channel?: string
  readonly during?: (child: ChildProcess) => Promise<void>
}

/** Runs the real program in a place, with its output in the ledger. */
export function programIn(place: Place, ledger: Ledger, more: Readonly<Record<string, string>> = {}) {
  const { folder, environment } = place
  const base = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    TMPDIR: join(folder, 'tmp'),
    ...more,
    ...environment,
  }
  return async (words: readonly string[], run: Run = {}): Promise<number> => {
    const child = spawn(process.execPath, [...(run.node ?? []), landformProgram, ...words], {
      cwd: folder,
      env: { ...base, ...run.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const closed = once(child, 'close')
    const channel = run.channel ?? words[0]
    child.stdout.on('data', chunk => ledger.see(`stdout of ${channel}`, chunk))
    child.stderr.on('data', chunk => ledger.see(run.channel ? `stderr of ${channel}` : 'stderr', chunk))
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
    try {
      await run.during?.(child)
      const [code] = await closed
      return code ?? 70
    } finally {
      clearTimeout(timer)
    }
  }
}

import type { DLogger } from '@dbos-inc/dbos-sdk'

/** What the engine has to say to people; texts of it and of PostgreSQL, none of a site. */
export type EngineLog = (level: 'warn' | 'error', message: string) => void

/**
 * The logger that the engine writes to. What it merely notes is left out, and so is every stack: of an error only the
 * message counts.
 */
export function engineLogger(log: EngineLog): DLogger {
  const quiet = () => undefined
  const line = (entry: unknown) => String(entry).split('\n', 1)[0] ?? ''
  return {
    info: quiet,
    debug: quiet,
    // Two workers looked at once, and one of them looks again: that is how it is meant to be.
    warn: entry => (/contention/i.test(line(entry)) ? undefined : log('warn', line(entry))),
    error: entry => log('error', line(entry)),
  }
}

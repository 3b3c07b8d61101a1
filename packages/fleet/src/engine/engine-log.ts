import type { DLogger } from '@dbos-inc/dbos-sdk'

/** Receives messages of the engine; they hold texts of the engine and of PostgreSQL, none of a site. */
export type EngineLog = (level: 'warn' | 'error', message: string) => void

/**
 * Creates the logger of the engine. It drops informational messages and all stack traces: of an error only the message
 * counts.
 */
export function createEngineLogger(log: EngineLog): DLogger {
  const quiet = () => undefined
  const line = (entry: unknown) => String(entry).split('\n', 1)[0] ?? ''
  return {
    info: quiet,
    debug: quiet,
    // Two workers polled at the same time, and one of them retries: that is expected.
    warn: entry => (/contention/i.test(line(entry)) ? undefined : log('warn', line(entry))),
    error: entry => log('error', line(entry)),
  }
}

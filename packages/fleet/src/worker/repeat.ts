import { setTimeout as delay } from 'node:timers/promises'

interface RepeatOptions {
  readonly everyMs: number
  readonly signal: AbortSignal
  /** Receives the error of a failed repetition; the next one follows anyway. */
  failed(error: unknown): void
}

/** Repeats a task, one run after the other, until the signal. */
export async function repeat(
  work: () => Promise<void>,
  { everyMs, signal, failed }: RepeatOptions,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work()
    } catch (error) {
      if (!signal.aborted) failed(error)
    }
    await delay(everyMs, undefined, { signal }).catch(() => undefined)
  }
}

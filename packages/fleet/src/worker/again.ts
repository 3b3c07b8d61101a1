import { setTimeout as delay } from 'node:timers/promises'

interface Rhythm {
  readonly everyMs: number
  readonly signal: AbortSignal
  /** Hears why a turn failed; the next one comes all the same. */
  failed(error: unknown): void
}

/** Does something again and again, one after the other, until the signal. */
export async function again(work: () => Promise<void>, { everyMs, signal, failed }: Rhythm): Promise<void> {
  while (!signal.aborted) {
    try {
      await work()
    } catch (error) {
      if (!signal.aborted) failed(error)
    }
    await delay(everyMs, undefined, { signal }).catch(() => undefined)
  }
}

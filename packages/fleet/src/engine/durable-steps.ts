import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Steps } from '../workflow/steps.js'
import { withoutText } from './without-text.js'

/** The steps of all workflows in this process, and how to come to an end between two of them. */
export function durableSteps(): {
  readonly steps: Steps
  settle(patienceMs: number): Promise<void>
  /** Resolves once no step is under way. */
  idle(): Promise<void>
} {
  const open = new Set<Promise<void>>()
  let isSettling = false
  const body = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isSettling) return never()
    const result = work()
    const ended = result.then(nothing, nothing)
    open.add(ended)
    try {
      const value = await result
      return isSettling ? never() : value
    } catch (error) {
      if (isSettling) return never()
      throw withoutText(error)
    } finally {
      open.delete(ended)
    }
  }
  const run: Steps['run'] = async (name, work) => {
    if (isSettling) return never()
    try {
      return await DBOS.runStep(() => body(work), { name })
    } catch (error) {
      // What the engine misses once it is shut down is no failure of the step.
      if (isSettling) return never()
      throw error
    }
  }
  return {
    steps: {
      run,
      async sleep(milliseconds, signal) {
        const until = await run('sleep', async () => Date.now() + milliseconds)
        await wokenAt(until, signal)
      },
    },
    async settle(patienceMs) {
      isSettling = true
      const timer = new AbortController()
      await Promise.race([Promise.all(open), wokenAt(Date.now() + patienceMs, timer.signal)])
      timer.abort()
    },
    async idle() {
      await Promise.all(open)
    },
  }
}

const nothing = () => undefined

/** What is done in place of an end that must not be noted: the engine keeps what is returned and what is thrown. */
export const never = () => new Promise<never>(nothing)

function wokenAt(time: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal?.aborted === true) return resolve()
    const wake = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, Math.max(0, time - Date.now()))
    signal?.addEventListener('abort', wake)
  })
}

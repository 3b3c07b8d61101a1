import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Steps } from '../workflow/steps.js'
import { isOfEngine, withoutText } from './without-text.js'

/** The steps of all workflows in this process, and how to come to an end between two of them. */
export function durableSteps(): {
  readonly steps: Steps
  /** True once `settle` was called: whatever comes to an end from then on is done again by whoever takes the work over. */
  hasLeft(): boolean
  settle(patienceMs: number): Promise<void>
  /** Resolves once no step is under way. */
  idle(): Promise<void>
} {
  const open = new Set<Promise<void>>()
  let hasLeft = false
  const body = async <T>(work: () => Promise<T>): Promise<T> => {
    if (hasLeft) return never()
    const result = work()
    const ended = result.then(nothing, nothing)
    open.add(ended)
    try {
      const value = await result
      return hasLeft ? never() : value
    } catch (error) {
      if (hasLeft) return never()
      throw withoutText(error)
    } finally {
      open.delete(ended)
    }
  }
  const run: Steps['run'] = async (name, work) => {
    if (hasLeft) return never()
    try {
      return await DBOS.runStep(() => body(work), { name })
    } catch (error) {
      // What the engine misses once it is shut down is no failure of the step.
      if (hasLeft && !isOfEngine(error)) return never()
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
    hasLeft: () => hasLeft,
    async settle(patienceMs) {
      hasLeft = true
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

/** Returns a function that does at most `max` tasks at once, the others in order. `before` precedes each task. */
export function limitConcurrency(
  max: number,
  before: () => Promise<void> = async () => undefined,
): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = max
  return async work => {
    if (free > 0) free -= 1
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      await before()
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

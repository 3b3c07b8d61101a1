/** The limits of the work on a list. */
export interface Pool {
  readonly concurrency: number
  /** Asked before each begins; once it says no, nothing more begins, and what was begun goes on to its end. */
  goesOn(): boolean
}

/** Works on a list, so many at once; what was never begun has no result. `work` keeps its failures to itself. */
export async function runInPool<T, R>(
  items: readonly T[],
  { concurrency, goesOn }: Pool,
  work: (item: T) => Promise<R>,
): Promise<readonly (R | undefined)[]> {
  const results: (R | undefined)[] = items.map(() => undefined)
  const waiting = items.entries()
  const worker = async () => {
    while (goesOn()) {
      const { done, value } = waiting.next()
      if (done === true) return
      const [at, item] = value
      results[at] = await work(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  return results
}

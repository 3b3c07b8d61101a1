/** A turn in progress. */
export interface Turn {
  /** Gives up the turn while idle, and waits for it again. */
  aside<T>(idle: () => Promise<T>): Promise<T>
}

/** Limits concurrency to a number of tasks; the others wait for their turn, in order. */
export function limitConcurrency(max: number): <T>(work: (turn: Turn) => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = max
  const enter = async () => {
    if (free > 0) free -= 1
    else await new Promise<void>(resolve => waiting.push(resolve))
  }
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  const turn: Turn = {
    async aside(idle) {
      leave()
      try {
        return await idle()
      } finally {
        await enter()
      }
    },
  }
  return async work => {
    await enter()
    try {
      return await work(turn)
    } finally {
      leave()
    }
  }
}

/** Things in an order, of which the first is taken. */
export interface Heap<T> {
  readonly size: number
  add(thing: T): void
  take(): T | undefined
}

/** `isBefore` has to be an order; of two that are equal in it either may come first. */
export function heap<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const things: T[] = []
  const at = (index: number) => things[index] as T
  const swap = (a: number, b: number) => {
    const kept = at(a)
    things[a] = at(b)
    things[b] = kept
  }
  return {
    get size() {
      return things.length
    },
    add(thing) {
      things.push(thing)
      for (let index = things.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1
        if (!isBefore(at(index), at(parent))) return
        swap(index, parent)
        index = parent
      }
    },
    take() {
      const [first] = things
      const last = things.pop()
      if (things.length === 0 || last === undefined) return first
      things[0] = last
      for (let index = 0; ; ) {
        const children = [2 * index + 1, 2 * index + 2].filter(child => child < things.length)
        const next = children.reduce((best, child) => (isBefore(at(child), at(best)) ? child : best), index)
        if (next === index) return first
        swap(index, next)
        index = next
      }
    },
  }
}

/** A client that ends with one of its requests, as a process that is killed does. */
export interface LastRequest {
  /** How many requests are left to it, with that one. */
  left: number
  readonly moment: 'before' | 'after'
  /** Ends the client. */
  kill(): void
}

/** Ends a client if a request that is about to be carried out, or has been, is its last. */
export function endsClient(last: LastRequest | undefined, moment: LastRequest['moment']): boolean {
  if (last === undefined || last.moment !== moment) return false
  last.left -= 1
  if (last.left === 0) last.kill()
  return last.left <= 0
}

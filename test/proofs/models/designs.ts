/** A design of the executor: what it is made of in `executor.pml`, and whether it may ever configure twice. */
export interface Design {
  readonly name: string
  readonly parts: readonly string[]
  readonly isSafe: boolean
}

export const designs: readonly Design[] = [
  { name: 'promise, and only look afterwards', parts: [], isSafe: true },
  {
    name: 'promise, and an operator once its process is dead and nothing can be under way',
    parts: ['OPERATOR', 'LIFETIME', 'DRAIN'],
    isSafe: true,
  },
  { name: 'a lease', parts: ['LEASE'], isSafe: false },
  { name: 'a lease, and again where the site shows nothing', parts: ['LEASE', 'RETRY'], isSafe: false },
  { name: 'promise, and again where the site shows nothing', parts: ['RETRY'], isSafe: false },
  {
    name: 'promise, and an operator while its process may only stand still',
    parts: ['OPERATOR', 'DRAIN'],
    isSafe: false,
  },
  {
    name: 'promise, and an operator while a request may be under way',
    parts: ['OPERATOR', 'LIFETIME'],
    isSafe: false,
  },
]

/** A design: its model, the definitions that select it there, and whether it never configures a site twice. */
export interface Design {
  readonly name: string
  readonly model: 'executor' | 'places'
  readonly parts: readonly string[]
  readonly isSafe: boolean
}

export const designs: readonly Design[] = [
  { name: 'promise, and only look afterwards', model: 'executor', parts: [], isSafe: true },
  {
    name: 'promise, and an operator once its process is dead and nothing can be under way',
    model: 'executor',
    parts: ['OPERATOR', 'LIFETIME', 'DRAIN'],
    isSafe: true,
  },
  { name: 'a lease', model: 'executor', parts: ['LEASE'], isSafe: false },
  {
    name: 'a lease, and again where the site shows nothing',
    model: 'executor',
    parts: ['LEASE', 'RETRY'],
    isSafe: false,
  },
  {
    name: 'promise, and again where the site shows nothing',
    model: 'executor',
    parts: ['RETRY'],
    isSafe: false,
  },
  {
    name: 'promise, and an operator while its process may only stand still',
    model: 'executor',
    parts: ['OPERATOR', 'DRAIN'],
    isSafe: false,
  },
  {
    name: 'promise, and an operator while a request may be under way',
    model: 'executor',
    parts: ['OPERATOR', 'LIFETIME'],
    isSafe: false,
  },
  {
    name: 'a new place that awaits the state, and a pointer in the old one',
    model: 'places',
    parts: ['AWAIT', 'POINTER'],
    isSafe: true,
  },
  { name: 'another place of the state', model: 'places', parts: ['ANYWHERE'], isSafe: false },
  { name: 'a pointer to a place that is empty at first', model: 'places', parts: ['POINTER'], isSafe: false },
  { name: 'a copy of the state without a pointer', model: 'places', parts: ['AWAIT'], isSafe: false },
]

/** A design: its model, the definitions that select it there, and whether it never configures a site twice. */
export interface Design {
  readonly name: string
  readonly model: 'executor' | 'places'
  readonly parts: readonly string[]
  readonly isSafe: boolean
}

export const designs: readonly Design[] = [
  { name: 'a submission intent, and then only polls', model: 'executor', parts: [], isSafe: true },
  {
    name: 'a submission intent, and an operator once its process is dead and no request is in flight',
    model: 'executor',
    parts: ['OPERATOR', 'LIFETIME', 'DRAIN'],
    isSafe: true,
  },
  { name: 'a lease', model: 'executor', parts: ['LEASE'], isSafe: false },
  {
    name: 'a lease, and another request if the site shows nothing',
    model: 'executor',
    parts: ['LEASE', 'RETRY'],
    isSafe: false,
  },
  {
    name: 'a submission intent, and another request if the site shows nothing',
    model: 'executor',
    parts: ['RETRY'],
    isSafe: false,
  },
  {
    name: 'a submission intent, and an operator while its process may only be suspended',
    model: 'executor',
    parts: ['OPERATOR', 'DRAIN'],
    isSafe: false,
  },
  {
    name: 'a submission intent, and an operator while a request may be in flight',
    model: 'executor',
    parts: ['OPERATOR', 'LIFETIME'],
    isSafe: false,
  },
  {
    name: 'a new location that awaits the state, and a pointer in the old one',
    model: 'places',
    parts: ['AWAIT', 'POINTER'],
    isSafe: true,
  },
  { name: 'another location of the state', model: 'places', parts: ['ANYWHERE'], isSafe: false },
  {
    name: 'a pointer to a location that is empty at first',
    model: 'places',
    parts: ['POINTER'],
    isSafe: false,
  },
  { name: 'a copy of the state without a pointer', model: 'places', parts: ['AWAIT'], isSafe: false },
]

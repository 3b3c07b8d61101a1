import type { MoveResult } from '../../state/move-state.js'
import { display } from '../display.js'
import { describeLocked } from '../state-summary.js'
import { endings } from './ending.js'
import { endOfState } from './state.js'

/** The endings of a move of the state; `from` and `to` are the locations as given on the command line. */
export const endOfMove = endings<
  MoveResult & { readonly name: string; readonly from: string; readonly to: string },
  undefined
>({
  moved: {
    title: 'the state was moved',
    say: ({ name, from, to, versions }) =>
      `moved the state of ${name} to ${display(to)}; its history up to version ${versions} stays in ${display(from)}, with a pointer`,
    exit: 'done',
  },
  done: {
    title: 'the state is already there',
    say: ({ name, to }) => `the state of ${name} is already in ${display(to)}`,
    exit: 'done',
  },
  nothing: {
    title: 'there is no state to move',
    say: ({ from }) => `no state to move: ${display(from)} has no state of this site`,
    exit: 'stale',
    next: () => 'check the location, and that the manifest belongs to the site',
  },
  occupied: {
    title: 'the target of a move has another history of the site',
    say: ({ to }) =>
      `${display(to)} has another history of this site, or a copy that was changed since: nothing was moved`,
    exit: 'stale',
    next: () => 'compare both with `landform state show`: a site has one state',
  },
  locked: {
    say: ({ lock }) => `nothing was moved: ${describeLocked(lock)}`,
    exit: 'locked',
    next: () => 'wait for that run, then run the same command again',
  },
  failed: endOfState,
})

import { needsPerson } from '../../../model/overview.js'
import { runStates } from '../../../model/run.js'

export { needsPerson, runStates }

const marks = {
  ambiguous: '?',
  failed: '✕',
  refused: '⊘',
  unfinished: '◔',
  running: '◐',
  queued: '○',
  waiting: '·',
  cancelled: '–',
  done: '●',
}

/** A mark that needs no colour to be told apart. */
export const stateMark = state => (Object.hasOwn(marks, state) ? marks[state] : '?')

const rank = new Map(runStates.map((state, index) => [state, index]))

/** Smaller numbers need a person sooner. */
export const stateRank = state => rank.get(state) ?? 0

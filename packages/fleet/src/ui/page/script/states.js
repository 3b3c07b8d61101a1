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

/** Returns a mark that is readable without colour. */
export const stateMark = state => (Object.hasOwn(marks, state) ? marks[state] : '?')

const rank = new Map(runStates.map((state, index) => [state, index]))

/** Returns a rank; smaller numbers need a person sooner. */
export const stateRank = state => rank.get(state) ?? 0

import { needsPerson, type RunState, runStates } from 'landform/sites'

export { needsPerson, runStates }

const marks: Readonly<Record<RunState, string>> = {
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
export const stateMark = (state: RunState): string => marks[state] ?? '?'

/** Returns a rank; smaller numbers need a person sooner. */
export const stateRank = (state: RunState): number => runStates.indexOf(state)

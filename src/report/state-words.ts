import { type StageState, stageProgress } from '../contract/stages.js'
import { display } from './display.js'

/** Formats a state for people; an undocumented one is spelled as the service reports it. */
export function formatState(state: string): string {
  return display(state.replaceAll('_', ' '), 60)
}

const polls = {
  completed: { sign: '✔', colour: 'green' },
  in_progress: { sign: '●', colour: 'cyan' },
  not_started: { sign: '·', colour: 'dim' },
  not_applicable: { sign: '–', colour: 'dim' },
} as const satisfies Record<StageState, { sign: string; colour: string }>

/** Selects the sign and colour of a stage. An undocumented state is as prominent as a running one. */
export function selectStageStyle(state: string) {
  if (!Object.hasOwn(polls, state))
    return { sign: '?', colour: 'yellow', isKnown: false, progress: 'running' } as const
  const known = state as StageState
  return { ...polls[known], isKnown: true, progress: stageProgress[known] } as const
}

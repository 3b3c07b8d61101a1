import { type StageState, stageProgress } from '../contract/stages.js'

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

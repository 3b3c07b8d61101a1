import type { StageState } from '../contract/stages.js'
import type { Observation, StageRecord } from '../plan/observation.js'
import { display } from './display.js'
import type { Paint } from './paint.js'
import { stateWords } from './state-words.js'

/** The machine form of a site's state; its schema is `schemas/status.schema.json`. */
export function statusDocument(url: string, observed: Observation) {
  const { kind, version, message, warnings, stages } = observed
  return {
    formatVersion: 1,
    url,
    state: kind,
    ...(observed.kind === 'unrecognized' && { reported: observed.state }),
    version: version ?? null,
    ...(message !== undefined && { message }),
    warnings,
    stages,
  } as const
}

/** A site's state for people. */
export function formatStatus(url: string, observed: Observation, paint: Paint): string {
  const { version, message, warnings, stages } = observed
  const state = observed.kind === 'unrecognized' ? `unrecognized: ${display(observed.state)}` : observed.kind
  return [
    display(url),
    `state    ${paint('bold', state)}`,
    `version  ${display(version ?? 'not reported')}`,
    ...(message === undefined ? [] : [`message  ${display(message, 500)}`]),
    ...warnings.map(warning => `warning  ${display(warning, 500)}`),
    ...(stages.length === 0 ? [] : ['', ...formatStages(stages, paint)]),
    '',
  ].join('\n')
}

/** Below this width a line holds the sign and the name only; the sign says the state. */
const narrow = 60

/** One line a stage, in the order of the service. `columns` is the width of the terminal, if there is one. */
export function formatStages(
  stages: readonly StageRecord[],
  paint: Paint,
  columns = Number.POSITIVE_INFINITY,
): readonly string[] {
  return stages.map(({ name, state }) => {
    const known = Object.hasOwn(looks, state)
    const { sign, colour } = known ? looks[state as keyof typeof looks] : unknownLook
    const words = columns < narrow && known ? '' : ` ${paint(colour, stateWords(state))}`
    const width = columns < narrow ? 0 : 32
    return `  ${paint(colour, sign)} ${display(name, 60).padEnd(width)}${words}`
  })
}

const looks = {
  completed: { sign: '✔', colour: 'green' },
  in_progress: { sign: '●', colour: 'cyan' },
  not_started: { sign: '·', colour: 'dim' },
  not_applicable: { sign: '–', colour: 'dim' },
} as const satisfies Record<StageState, { sign: string; colour: string }>

const unknownLook = { sign: '?', colour: 'yellow' } as const

import { findStageProgress, type StageState } from '../contract/responses.js'
import type { Observation, StageRecord } from '../plan/observation.js'
import type { Submission } from '../plan/submission.js'
import { describeDoubt, formatState } from './anomalies.js'
import { display } from './display.js'
import { describeSubmission } from './state-summary.js'
import type { Paint } from './terminal.js'

const polls = {
  completed: { sign: '✔', colour: 'green' },
  in_progress: { sign: '●', colour: 'cyan' },
  not_started: { sign: '·', colour: 'dim' },
  not_applicable: { sign: '–', colour: 'dim' },
} as const satisfies Record<StageState, { sign: string; colour: string }>

/** Selects the sign and colour of a stage. An undocumented state is as prominent as a running one. */
export function selectStageStyle(state: string) {
  const progress = findStageProgress(state)
  if (progress === undefined)
    return { sign: '?', colour: 'yellow', isKnown: false, progress: 'running' } as const
  return { ...polls[state as StageState], isKnown: true, progress } as const
}

interface View {
  readonly paint: Paint
  /** The request whose outcome is open. */
  readonly pending?: Submission | undefined
  /** True if the creation of the organization is not recorded, so no field can be compared. */
  readonly isUnrecorded?: boolean
  /** True if the stages were shown already. */
  readonly withoutStages?: boolean
}

/** The machine form of a site's state; its schema is `schemas/status.schema.json`. */
export function statusDocument(url: string, observed: Observation, pending?: Submission) {
  const { kind, version, message, warnings, stages, malformed } = observed
  return {
    formatVersion: 1,
    url,
    ...(pending !== undefined && { request: { nonce: pending.nonce, state: pending.state } }),
    state: kind,
    ...(observed.kind === 'unrecognized' && { reported: observed.state }),
    version: version ?? null,
    ...(message !== undefined && { message }),
    warnings,
    stages,
    ...(malformed !== undefined && { malformed }),
  } as const
}

/** Formats the state of a site for people. */
export function formatStatus(
  url: string,
  observed: Observation,
  { paint, pending, isUnrecorded = false, withoutStages = false }: View,
): string {
  const { version, message, warnings, stages, malformed = [] } = observed
  const state = observed.kind === 'unrecognized' ? `unrecognized: ${display(observed.state)}` : observed.kind
  const doubt =
    observed.kind === 'unrecognized' && observed.contradiction !== undefined
      ? `, ${describeDoubt(observed.contradiction)}`
      : ''
  return [
    ...(pending === undefined ? [] : [paint('yellow', describePending(pending))]),
    display(url),
    `state    ${paint('bold', `${state}${doubt}`)}`,
    `version  ${display(version ?? 'not reported')}`,
    ...(message === undefined ? [] : [`message  ${display(message, 500)}`]),
    ...warnings.map(warning => `warning  ${display(warning, 500)}`),
    ...(isUnrecorded ? ['record   none: no apply of this organization is recorded here'] : []),
    ...malformed.map(path => `omitted  ${display(path)}: undocumented shape`),
    ...(stages.length === 0 || withoutStages ? [] : ['', ...formatStages(stages, paint)]),
    '',
  ].join('\n')
}

/** Describes the request whose outcome is open. */
export function describePending(pending: Submission): string {
  return `open request: configure ${pending.nonce}: ${describeSubmission(pending)}`
}

/** Formats stages, one a line, in the order of the service. */
export function formatStages(stages: readonly StageRecord[], paint: Paint): readonly string[] {
  return stages.map(({ name, state }) => {
    const { sign, colour } = selectStageStyle(state)
    return `  ${paint(colour, sign)} ${display(name, 60).padEnd(32)} ${paint(colour, formatState(state))}`
  })
}

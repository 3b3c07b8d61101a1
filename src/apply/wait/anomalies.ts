import { stageProgress } from '../../contract/stages.js'
import type { Contradiction, Observation } from '../../plan/observation.js'
import type { SiteDifference } from './site-mark.js'
import type { StageChange } from './stages.js'

/** An anomaly in the answers of a site. It is reported, and decides nothing. */
export type Anomaly =
  | { readonly kind: 'stage-went-back'; readonly stage: string; readonly from: string; readonly to: string }
  | { readonly kind: 'site-went-back'; readonly from: Observation['kind']; readonly to: Observation['kind'] }
  | { readonly kind: 'ready-with-open-stages'; readonly stages: readonly string[] }
  | { readonly kind: 'not-ready-with-closed-stages' }
  | { readonly kind: 'unknown-state'; readonly state: string; readonly contradiction?: Contradiction }
  | SiteDifference
  /** Documented parts of an answer are of another type, and count as absent. */
  | { readonly kind: 'malformed-parts'; readonly parts: readonly string[] }
  /** The site goes on with a stage that failed; `forMs` is how long it has shown it so. */
  | { readonly kind: 'failed-stage'; readonly stage: string; readonly forMs: number }
  /** This process stood still, as on a machine that sleeps. */
  | { readonly kind: 'stood-still'; readonly ms: number }

/** Finds the parts of an answer that contradict the answer before it, or each other. */
export function findAnomalies(
  last: Observation | undefined,
  now: Observation,
  changed: readonly StageChange[],
): readonly Anomaly[] {
  return [
    ...(last === undefined ? [] : findRegression(last, now)),
    ...changed.flatMap(({ name, from, state }) =>
      from !== null && rankState(state) < rankState(from)
        ? [{ kind: 'stage-went-back', stage: name, from, to: state } as const]
        : [],
    ),
    ...findMismatch(now),
    ...findUnknownState(now),
    ...findMalformedParts(now),
  ]
}

/** The parts of an answer that are not as documented, if there are any. */
export function findMalformedParts({ malformed: parts }: Observation): readonly Anomaly[] {
  return parts === undefined ? [] : [{ kind: 'malformed-parts', parts }]
}

function findUnknownState(now: Observation): readonly Anomaly[] {
  if (now.kind !== 'unrecognized') return []
  const { state, contradiction } = now
  return [{ kind: 'unknown-state', state, ...(contradiction && { contradiction }) }]
}

function findRegression({ kind: from }: Observation, { kind: to }: Observation): readonly Anomaly[] {
  return siteRanks[to] < siteRanks[from] ? [{ kind: 'site-went-back', from, to }] : []
}

/** The state of the site decides; stages that contradict it are reported. */
function findMismatch({ kind, stages }: Observation): readonly Anomaly[] {
  const open = stages.filter(({ state }) => findProgress(state) !== 'through').map(({ name }) => name)
  if (kind === 'ready' && open.length > 0) return [{ kind: 'ready-with-open-stages', stages: open }]
  const isThrough = kind === 'in-progress' && stages.length > 0 && open.length === 0
  return isThrough ? [{ kind: 'not-ready-with-closed-stages' }] : []
}

const siteRanks = {
  'not-configured': 0,
  unrecognized: 1,
  'in-progress': 1,
  failed: 2,
  ready: 2,
} as const satisfies Record<Observation['kind'], number>

const ranks = { waiting: 0, running: 1, through: 2 } as const

/** Ranks the progress of a state; one that is not documented is never behind another. */
function rankState(state: string): number {
  const progress = findProgress(state)
  return progress === undefined ? Number.NaN : ranks[progress]
}

function findProgress(state: string): keyof typeof ranks | undefined {
  return Object.hasOwn(stageProgress, state) ? stageProgress[state as keyof typeof stageProgress] : undefined
}

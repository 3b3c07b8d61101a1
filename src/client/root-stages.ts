import { failedStage } from '../contract/field-operations.js'
import { stageStates, unmovedStageStates } from '../contract/stages.js'
import type { StageRecord } from '../plan/observation.js'
import type { JsonValue } from '../schema/json-schema.js'
import type { PartReader } from './json.js'

/** Limits the memory for a flood of stages. */
const maxStages = 100

/** The stages of an answer, and the first one that has moved, also without a name. */
export interface ReadStages {
  readonly stages: readonly StageRecord[]
  readonly moved: Pick<StageRecord, 'name' | 'state'> | undefined
}

/** Reads stage records; one without a name or a state is no record. Service §2.3. */
export function parseStages(list: readonly JsonValue[], parts: PartReader): ReadStages {
  const stages: StageRecord[] = []
  let moved: ReadStages['moved']
  for (const entry of list) {
    const record = parts.object('status.stages', entry)
    if (record === undefined) continue
    const name = parts.text('status.stages.name', record['name'])
    const reported = parts.text('status.stages.state', record['state'])
    const state = reported === undefined ? undefined : normalizeState(reported)
    const startTime = parts.integer('status.stages.startTime', record['startTime'])
    const lastUpdated = parts.integer('status.stages.lastUpdated', record['lastUpdated'])
    if (name === undefined || state === undefined) parts.note('status.stages')
    else if (stages.length < maxStages) stages.push(buildStage(name, state, { startTime, lastUpdated }))
    if (state !== undefined && !unmovedStageStates.includes(state)) moved ??= { name: name ?? '', state }
  }
  return { stages, moved }
}

interface StageTimes {
  readonly startTime?: number | undefined
  readonly lastUpdated?: number | undefined
}

/**
 * Builds a stage of the documented fields only, because others must not reach events and documents. Does not spread
 * them: each spread of numbers makes a new hidden class, and a fleet keeps fourteen stages of every site.
 */
export function buildStage(name: string, state: string, { startTime, lastUpdated }: StageTimes): StageRecord {
  if (startTime === undefined)
    return lastUpdated === undefined ? { name, state } : { lastUpdated, name, state }
  return lastUpdated === undefined ? { startTime, name, state } : { startTime, lastUpdated, name, state }
}

const knownStates: readonly string[] = [...stageStates, failedStage]

/** Spells a known state as the document does; leaves another one unchanged. */
function normalizeState(state: string): string {
  if (knownStates.includes(state)) return state
  const lower = state.toLowerCase()
  return knownStates.includes(lower) ? lower : state
}

import { failedStage } from '../contract/field-operations.js'
import { stageStates } from '../contract/stages.js'
import type { StageRecord } from '../plan/observation.js'
import type { JsonObject, JsonValue } from '../schema/json-schema.js'
import type { PartReader } from './part-reader.js'

/** A flood of stages is cut: nobody reads it, and it must not fill the memory. */
const maxStages = 100

/** The stages of an answer, and all of which it says a state, also those without a name. */
export interface ReadStages {
  readonly stages: readonly StageRecord[]
  readonly all: readonly Pick<StageRecord, 'name' | 'state'>[]
}

/** Reads stage records; one without a name or a state is no record. Service §2.3. */
export function parseStages(list: readonly JsonValue[], parts: PartReader): ReadStages {
  const records = list.flatMap(entry => {
    const record = parts.object('status.stages', entry)
    return record === undefined ? [] : [parseStage(record, parts)]
  })
  const all = records.flatMap(({ name, state, ...times }) =>
    state === undefined ? [] : [{ name, state, times }],
  )
  const stages = all.flatMap(({ name, state, times }) =>
    name === undefined ? [] : [{ name, state, ...times }],
  )
  if (stages.length < records.length) parts.note('status.stages')
  return { stages: stages.slice(0, maxStages), all: all.map(({ name = '', state }) => ({ name, state })) }
}

/** The documented fields only: what else a stage carries must not end up in events and documents. */
function parseStage(record: JsonObject, parts: PartReader) {
  const at = (field: keyof StageRecord) => [`status.stages.${field}`, record[field]] as const
  const name = parts.text(...at('name'))
  const state = parts.text(...at('state'))
  const startTime = parts.integer(...at('startTime'))
  const lastUpdated = parts.integer(...at('lastUpdated'))
  return {
    ...(name !== undefined && { name }),
    ...(state !== undefined && { state: normalizeState(state) }),
    ...(startTime !== undefined && { startTime }),
    ...(lastUpdated !== undefined && { lastUpdated }),
  }
}

/** A known state as the document spells it, whatever its capitals; another one as the site does. */
function normalizeState(state: string): string {
  const known: readonly string[] = [...stageStates, failedStage]
  const lower = state.toLowerCase()
  return known.includes(lower) ? lower : state
}

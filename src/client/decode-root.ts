import { reportedSiteStates } from '../contract/field-notes.js'
import { unmovedStageStates } from '../contract/stages.js'
import { siteStates } from '../contract/states.js'
import type { Observation, SiteFacts, StageRecord } from '../plan/observation.js'
import type { JsonObject } from '../schema/json-schema.js'
import { asText } from './decode.js'

interface Root {
  readonly fullVersion: string
  readonly status: {
    readonly state?: string
    readonly message?: string
    readonly warnings?: readonly unknown[]
    readonly stages?: readonly StageRecord[]
  }
}

/** A flood of stages or warnings is cut: nobody reads it, and it must not fill the memory. */
const most = { stages: 100, warnings: 50 } as const

/**
 * What a root resource of the documented shape says of the site. Begun is a configuration whose answer shows
 * warnings, a documented state, or a stage that moved; not configured is one that shows none of these and no
 * state either, for what the service answers before is not shown. Service §2.3, §3.
 */
export function observationOf(body: JsonObject): Observation {
  const { fullVersion, status } = body as unknown as Root
  const facts: SiteFacts = {
    version: fullVersion,
    ...(status.message !== undefined && { message: status.message }),
    warnings: (status.warnings ?? []).slice(0, most.warnings).map(asText),
    stages: (status.stages ?? []).slice(0, most.stages).map(stageOf),
  }
  const { state } = status
  if (state === siteStates.done) return { kind: 'ready', ...facts }
  if (state === siteStates.running || state === reportedSiteStates.configured)
    return { kind: 'in-progress', ...facts }
  const moved = facts.stages.some(stage => !unmovedStageStates.includes(stage.state))
  const begun = status.warnings !== undefined || moved
  if (state === undefined) return { kind: begun ? 'in-progress' : 'not-configured', ...facts }
  if (state === reportedSiteStates.notConfigured && !begun) return { kind: 'not-configured', ...facts }
  if (/fail|error|cancel/i.test(state)) return { kind: 'failed', ...facts }
  return { kind: 'unrecognized', state, ...facts }
}

/** The documented fields only: what else a stage carries must not end up in events and documents. */
function stageOf({ name, state, startTime, lastUpdated }: StageRecord): StageRecord {
  return {
    name,
    state,
    ...(startTime !== undefined && { startTime }),
    ...(lastUpdated !== undefined && { lastUpdated }),
  }
}

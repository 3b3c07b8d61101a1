import { knownStage } from '../../contract/stages.js'
import type { StageRecord } from '../../plan/observation.js'

/**
 * The stages of one answer, each under a key that holds whatever capitals the service uses this time. A name that stands
 * twice has two keys, so that one is not taken for the other. Service §2.3.
 */
export function keyed<S extends StageRecord>(stages: readonly S[]): ReadonlyMap<string, S> {
  const all = new Map<string, S>()
  for (const stage of stages) {
    const name = knownStage(stage.name) ?? stage.name
    let key = name
    for (let nth = 2; all.has(key); nth += 1) key = `${name} (${nth})`
    all.set(key, stage)
  }
  return all
}

/** No site has more; names that are new in every answer must not fill the memory. */
const mostStages = 100

/** Merges the stages of an answer with the ones before: a stage that an answer leaves out is still there. */
export function remembered(
  before: readonly StageRecord[],
  now: readonly StageRecord[],
): readonly StageRecord[] {
  const told = keyed(now)
  const left = [...keyed(before)].filter(([key]) => !told.has(key)).map(([, stage]) => stage)
  return [...now, ...left].slice(0, mostStages)
}

/** The stages that are in another state than before. */
export function changesBetween(before: readonly StageRecord[], now: readonly StageRecord[]) {
  const known = keyed(before)
  return [...keyed(now)].flatMap(([key, stage]) => {
    const from = known.get(key)?.state ?? null
    return from === stage.state ? [] : [{ ...stage, key, from }]
  })
}

export type StageChange = ReturnType<typeof changesBetween>[number]

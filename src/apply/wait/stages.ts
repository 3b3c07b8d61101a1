import { findStage } from '../../contract/stages.js'
import type { StageRecord } from '../../plan/observation.js'

/**
 * The stages of one answer, each under a key that holds whatever capitals the service uses this time. A name that stands
 * twice has two keys, so that one is not taken for the other. Service §2.3.
 */
export function keyStages<S extends StageRecord>(stages: readonly S[]): ReadonlyMap<string, S> {
  const all = new Map<string, S>()
  for (const stage of stages) {
    const name = findStage(stage.name) ?? stage.name
    let key = name
    for (let nth = 2; all.has(key); nth += 1) key = `${name} (${nth})`
    all.set(key, stage)
  }
  return all
}

/** No site has more; names that are new in every answer must not fill the memory. */
const maxStages = 100

/** Merges the stages of an answer with the ones before: a stage that an answer leaves out is still there. */
export function rememberStages(
  before: readonly StageRecord[],
  now: readonly StageRecord[],
): readonly StageRecord[] {
  const reported = keyStages(now)
  const left = [...keyStages(before)].filter(([key]) => !reported.has(key)).map(([, stage]) => stage)
  return [...now, ...left].slice(0, maxStages)
}

/** The stages that are in another state than before. */
export function findChanges(before: readonly StageRecord[], now: readonly StageRecord[]) {
  const known = keyStages(before)
  return [...keyStages(now)].flatMap(([key, stage]) => {
    const from = known.get(key)?.state ?? null
    return from === stage.state ? [] : [{ ...stage, key, from }]
  })
}

export type StageChange = ReturnType<typeof findChanges>[number]

import { immediateSpelling, stageNames, stageNotApplicableAtFirst } from '../../contract/stages.js'
import { rootResources, siteStates } from '../../contract/states.js'
import { type ServiceVersion, splitVersion } from '../../contract/versions.js'
import type { JsonObject } from '../json-schema.js'

const begun = Date.UTC(2026, 2, 4, 5, 6, 7)
const stageMs = 60_000

/** Creates the root resource as in the response to `configure`, or after the organization exists. Service §2.3, §3. */
export function buildRootExample(
  version: ServiceVersion,
  state: (typeof siteStates)[keyof typeof siteStates],
): JsonObject {
  const [major, minor, patch] = splitVersion(version)
  const done = state === siteStates.done
  return {
    fullVersion: `${major}.${minor}.${patch}`,
    resources: rootResources,
    currentVersion: Number(`${major}.${minor}`),
    status: {
      state,
      message: done ? 'The organization was created.' : 'A new organization is being created.',
      warnings: [],
      stages: done ? stageNames.map(completeStage) : stageNames.map(resetStage),
    },
    info: { build: '1000' },
  }
}

function resetStage(name: (typeof stageNames)[number]): JsonObject {
  const spellings: Readonly<Record<string, string>> = immediateSpelling
  const state = name === stageNotApplicableAtFirst ? 'not_applicable' : 'not_started'
  return { name: spellings[name] ?? name, state, lastUpdated: begun }
}

function completeStage(name: (typeof stageNames)[number], index: number): JsonObject {
  if (name === stageNotApplicableAtFirst)
    return { name, state: 'not_applicable', lastUpdated: begun, startTime: 0 }
  const startTime = begun + index * stageMs
  return { name, state: 'completed', lastUpdated: startTime + stageMs, startTime }
}
